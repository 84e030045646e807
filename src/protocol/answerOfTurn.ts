import type { ChatEntry, TextEntry } from './chatState';

/** Returns the agent's last text in the turn that ends at this index; undefined if there is none. */
export function answerOfTurn(entries: readonly ChatEntry[], end: number): TextEntry | undefined {
  for (let at = end - 1; at >= 0; at--) {
    const entry = entries[at];
    if (!entry || entry.kind === 'turn') return undefined;
    if (entry.kind === 'text') return entry;
  }
  return undefined;
}
