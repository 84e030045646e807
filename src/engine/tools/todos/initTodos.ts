import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { todoListOutput } from './todoListText';

const input = z.strictObject({ todos: z.array(z.string().min(1)).min(1) });
type Input = z.infer<typeof input>;

/** `todo__init`: a new list. */
export function initTodosTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__init',
    description: 'Replaces the to-do list with these steps, numbered from 1. Keep one for work of three or more steps.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['writes-todos'], quiet: true },
    input,
    title: ({ todos }) => `Plan ${todos.length} ${todos.length === 1 ? 'step' : 'steps'}`,
    permission: () => ({ tool: 'todo__init', category: 'agent' }),
    async run({ todos: texts }, { todos }) {
      todos.init(texts);
      return todoListOutput(todos.items);
    },
  });
}
