import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { todoListOutput } from './todoListText';

const input = z.strictObject({});
type Input = z.infer<typeof input>;

/** `todo__list`: the list as it is. */
export function listTodosTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__list',
    description: 'Shows the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true },
    input,
    title: () => 'Show the to-dos',
    permission: () => ({ tool: 'todo__list', category: 'agent' }),
    async run(_, { todos }) {
      return todoListOutput(todos.items);
    },
  });
}
