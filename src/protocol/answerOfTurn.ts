import type { ChatEntry, TextEntry } from './chatState';

/** What the agent said last in the turn whose end stands at this index; undefined when it said nothing. */
export function answerOfTurn(entries: readonly ChatEntry[], end: number): TextEntry | undefined {
  for (let at = end - 1; at >= 0; at--) {
    const entry = entries[at];
    if (!entry || entry.kind === 'turn') return undefined;
    if (entry.kind === 'text') return entry;
  }
  return undefined;
}
