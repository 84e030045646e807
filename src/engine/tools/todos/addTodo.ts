import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { todoListOutput } from './todoListText';

const input = z.strictObject({ todo: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `todo__add`: one more step. */
export function addTodoTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__add',
    description: 'Adds a step to the end of the to-do list.',
    category: 'agent',
    traits: { kind: 'todos', quiet: true },
    input,
    title: ({ todo }) => `Add to-do: ${todo}`,
    permission: () => ({ tool: 'todo__add', category: 'agent' }),
    async run({ todo }, { todos }) {
      todos.add(todo);
      return todoListOutput(todos.items);
    },
  });
}
