import type { AnyTool } from '../tool';
import { addTodoTool } from './addTodo';
import { clearTodosTool } from './clearTodos';
import { completeTodoTool } from './completeTodo';
import { initTodosTool } from './initTodos';
import { listTodosTool } from './listTodos';

/** The tools for the session's to-do list. */
export function todoTools(): AnyTool[] {
  return [initTodosTool(), addTodoTool(), completeTodoTool(), listTodosTool(), clearTodosTool()];
}
