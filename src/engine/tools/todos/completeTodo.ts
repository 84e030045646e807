import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolFailure';
import { todoListOutput, todoListText } from './todoListText';

const input = z.strictObject({ id: z.int().min(1) });
type Input = z.infer<typeof input>;

/** `todo__done`: a step is done. */
export function completeTodoTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__done',
    description: 'Marks a step as done; do it as soon as it is.',
    category: 'agent',
    input,
    title: ({ id }) => `Complete to-do ${id}`,
    permission: () => ({ tool: 'todo__done', category: 'agent' }),
    async run({ id }, { todos }) {
      if (!todos.complete(id)) {
        throw new ToolFailure('bad-arguments', `There is no to-do ${id}. ${todoListText(todos.items)}`);
      }
      return todoListOutput(todos.items);
    },
  });
}
