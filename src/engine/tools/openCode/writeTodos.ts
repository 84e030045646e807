import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { todoListOutput } from '../todos/todoListText';

const todo = z.object({
  content: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']).default('pending'),
});
const input = z.strictObject({ todos: z.array(todo) });
type Input = z.infer<typeof input>;

/** `todowrite`: the whole list as it is to be, in OpenCode's words. */
export function writeTodosTool(): AnyTool {
  return defineTool<Input>({
    name: 'todowrite',
    description:
      'Replaces the to-do list with these steps. Keep one for work of three or more steps, and write it again with the new status as soon as a step is done.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['writes-todos', 'marks-todos'], quiet: true },
    input,
    title: ({ todos }) => (todos.length === 0 ? 'Clear the to-dos' : `Plan ${steps(todos.length)}`),
    permission: () => ({ tool: 'todo__init', category: 'agent' }),
    async run({ todos: wanted }, { todos }) {
      const kept = wanted.filter(({ status }) => status !== 'cancelled');
      todos.write(kept.map(({ content, status }) => ({ text: content, done: status === 'completed' })));
      return todoListOutput(todos.items);
    },
  });
}

function steps(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}
