import { counted } from '../../base/counted';
import * as z from '../../base/zod';
import type { TodoItem } from '../messages/todoItem';
import { todoListOutput, todoListText } from './todoList';
import { type AnyTool, defineTool } from './tool';
import { ToolFailure } from './toolOutput';

const completeTodoInput = z.strictObject({
  id: z.union([z.int().check(z.minimum(1)), z.string().check(z.minLength(1))]),
});

type CompleteTodoInput = z.infer<typeof completeTodoInput>;

const initTodosInput = z.strictObject({ todos: z.array(z.string().check(z.minLength(1))) });

type InitTodosInput = z.infer<typeof initTodosInput>;

const addTodoInput = z.strictObject({ todo: z.string().check(z.minLength(1)) });

type AddTodoInput = z.infer<typeof addTodoInput>;

/** For the tools that concern the whole list. */
const listInput = z.strictObject({});

type ListInput = z.infer<typeof listInput>;

/** Returns the tools for the session's to-do list. */
export function todoTools(): AnyTool[] {
  return [initTodosTool(), addTodoTool(), completeTodoTool(), listTodosTool(), clearTodosTool()];
}

/** `todo__list`: returns the list. */
function listTodosTool(): AnyTool {
  return defineTool<ListInput>({
    name: 'todo__list',
    description: 'Returns the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true, isUnlisted: true },
    input: listInput,
    title: () => 'Show the to-dos',
    permission: () => ({ tool: 'todo__list', category: 'agent' }),
    async run(_, { todos }) {
      return todoListOutput(todos.items);
    },
  });
}

/** `todo__add`: adds a step. */
function addTodoTool(): AnyTool {
  return defineTool<AddTodoInput>({
    name: 'todo__add',
    description: 'Adds a step to the end of the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true },
    input: addTodoInput,
    title: ({ todo }) => `Add to-do: ${todo}`,
    permission: () => ({ tool: 'todo__add', category: 'agent' }),
    async run({ todo }, { todos }) {
      todos.add(todo);
      return todoListOutput(todos.items);
    },
  });
}

/** `todo__clear`: empties the list. */
function clearTodosTool(): AnyTool {
  return defineTool<ListInput>({
    name: 'todo__clear',
    description: 'Empties the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true, isUnlisted: true },
    input: listInput,
    title: () => 'Clear the to-dos',
    permission: () => ({ tool: 'todo__clear', category: 'agent' }),
    async run(_, { todos }) {
      todos.clear();
      return todoListOutput(todos.items);
    },
  });
}

/** `todo__init`: replaces the list. */
function initTodosTool(): AnyTool {
  return defineTool<InitTodosInput>({
    name: 'todo__init',
    description: 'Replaces the to-do list with these steps, numbered from 1. An empty list clears it.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['writes-todos'], quiet: true },
    input: initTodosInput,
    title: ({ todos }) => (todos.length === 0 ? 'Clear the to-dos' : `Plan ${counted(todos.length, 'step')}`),
    permission: () => ({ tool: 'todo__init', category: 'agent' }),
    async run({ todos: texts }, { todos }) {
      todos.init(texts);
      return todoListOutput(todos.items);
    },
  });
}

/** `todo__done`: marks a step as done. */
function completeTodoTool(): AnyTool {
  return defineTool<CompleteTodoInput>({
    name: 'todo__done',
    description: 'Marks a step as done, by its number.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['marks-todos'], quiet: true },
    input: completeTodoInput,
    title: ({ id }) => `Complete to-do ${id}`,
    permission: () => ({ tool: 'todo__done', category: 'agent' }),
    async run({ id }, { todos }) {
      if (!todos.complete(numberOf(id, todos.items))) {
        throw new ToolFailure(
          'bad-arguments',
          `There is no to-do “${id}”; name one by its number. ${todoListText(todos.items)}`,
        );
      }
      return todoListOutput(todos.items);
    },
  });
}

/** Returns the number of a step that was named by its text; 0 if there is none, or if it is ambiguous. */
function numberOf(id: number | string, items: readonly TodoItem[]): number {
  if (typeof id === 'number') return id;
  const words = id.trim().toLowerCase();
  const number = /^#?(\d+)\.?$/.exec(words)?.[1];
  if (number !== undefined) return Number(number);
  const same = items.filter(({ text }) => text.trim().toLowerCase() === words);
  const like = same.length > 0 ? same : items.filter(({ text }) => text.toLowerCase().includes(words));
  return like.length === 1 ? (like[0]?.id ?? 0) : 0;
}
