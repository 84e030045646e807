import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { todoListOutput } from './todoListText';

const input = z.strictObject({});
type Input = z.infer<typeof input>;

/** `todo__clear`: an empty list. */
export function clearTodosTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__clear',
    description: 'Empties the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true },
    input,
    title: () => 'Clear the to-dos',
    permission: () => ({ tool: 'todo__clear', category: 'agent' }),
    async run(_, { todos }) {
      todos.clear();
      return todoListOutput(todos.items);
    },
  });
}
