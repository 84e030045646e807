import { struckOutcome } from '../events/struckOutcome';
import { struckMessage } from '../secrets/struckMessage';
import type { SessionEntry } from './sessionEntry';

/** A line of a history without what `strike` takes out of its texts; paths, ids and rules stay as they are. */
export function struckEntry(entry: SessionEntry, strike: (text: string) => string): SessionEntry {
  switch (entry.type) {
    case 'message':
      return { ...entry, message: struckMessage(entry.message, strike) };
    case 'todos':
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: strike(item.text) })) };
    case 'agent-spawned':
      return { ...entry, task: strike(entry.task) };
    case 'agent-finished':
    case 'run-finished':
      return { ...entry, outcome: struckOutcome(entry.outcome, strike) };
    case 'compacted':
      return { ...entry, text: strike(entry.text) };
    default:
      return entry;
  }
}
