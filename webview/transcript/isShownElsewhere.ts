import type { ChatEntry } from '../../src/protocol/chatState';

/**
 * Work on the to-do list and on other agents that goes well is told by the strip above the composer and by the agents'
 * cards, and needs no line of its own.
 */
export function isShownElsewhere(entry: ChatEntry): boolean {
  if (entry.kind !== 'tool' || !entry.quiet) return false;
  return entry.status === 'ok' || entry.status === 'running' || entry.status === 'preparing';
}
