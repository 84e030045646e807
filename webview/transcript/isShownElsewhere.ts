import type { ChatEntry } from '../../src/protocol/chatState';

/** Calls that start agents or wait for them: the agents' own cards tell more. */
const OF_AGENTS = new Set([
  ...[
    'agent__spawn',
    'agent__check',
    'agent__collect',
    'agent__list',
    'agent__list_available',
    'agent__cancel',
    'task',
  ],
]);

/**
 * Work on the to-do list and on other agents that goes well is told by the strip above the composer and by the agents'
 * cards, and needs no line of its own.
 */
export function isShownElsewhere(entry: ChatEntry): boolean {
  if (entry.kind !== 'tool' || !(entry.tool.startsWith('todo') || OF_AGENTS.has(entry.tool))) return false;
  return entry.status === 'ok' || entry.status === 'running' || entry.status === 'preparing';
}
