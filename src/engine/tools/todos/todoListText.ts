import type { TodoItem } from '../../messages/todoItem';
import type { ToolOutput } from '../toolOutput';

/** The list as a model reads it, one item a line. */
export function todoListText(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The to-do list is empty.';
  return items.map(({ id, text, done }) => `${id}. [${done ? 'x' : ' '}] ${text}`).join('\n');
}

/** The list as the result of a tool. */
export function todoListOutput(items: readonly TodoItem[]): ToolOutput {
  const text = todoListText(items);
  return { text, detail: { kind: 'text', text } };
}
