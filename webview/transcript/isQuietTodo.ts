import type { ChatEntry } from '../../src/protocol/chatState';

/** Work on the to-do list that goes well is told by the strip above the composer, and needs no line of its own. */
export function isQuietTodo(entry: ChatEntry): boolean {
  if (entry.kind !== 'tool' || !entry.tool.startsWith('todo')) return false;
  return entry.status === 'ok' || entry.status === 'running' || entry.status === 'preparing';
}
