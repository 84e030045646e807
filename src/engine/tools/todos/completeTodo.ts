import * as z from 'zod';
import type { TodoItem } from '../../messages/todoItem';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolFailure';
import { todoListOutput, todoListText } from './todoListText';

const input = z.strictObject({ id: z.union([z.int().min(1), z.string().min(1)]) });
type Input = z.infer<typeof input>;

/** `todo__done`: a step is done. */
export function completeTodoTool(): AnyTool {
  return defineTool<Input>({
    name: 'todo__done',
    description: 'Marks a step as done; do it as soon as it is.',
    category: 'agent',
    traits: { kind: 'todos', roles: ['marks-todos'], quiet: true },
    input,
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

/** Of a step that was named by its words; 0 when it is none, or could be several. */
function numberOf(id: number | string, items: readonly TodoItem[]): number {
  if (typeof id === 'number') return id;
  const words = id.trim().toLowerCase();
  const number = /^#?(\d+)\.?$/.exec(words)?.[1];
  if (number !== undefined) return Number(number);
  const same = items.filter(({ text }) => text.trim().toLowerCase() === words);
  const like = same.length > 0 ? same : items.filter(({ text }) => text.toLowerCase().includes(words));
  return like.length === 1 ? (like[0]?.id ?? 0) : 0;
}
