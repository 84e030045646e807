import type { SessionSummary } from '../../src/protocol/hostApi';

export interface SessionGroup {
  /** "Today", "Yesterday", "Monday", "3 November 2026". */
  day: string;
  sessions: readonly SessionSummary[];
}

const DAY_MS = 86_400_000;

/** The sessions that have all words of the query in their title or first messages, by the day of their last change. */
export function sessionGroups(sessions: readonly SessionSummary[], query: string, now: number): SessionGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((session) => matches(session, words));
  const groups = new Map<string, SessionSummary[]>();
  for (const session of found) {
    const day = dayWords(session.modifiedAt, now);
    groups.set(day, [...(groups.get(day) ?? []), session]);
  }
  return [...groups].map(([day, of]) => ({ day, sessions: of }));
}

/** Itself or one of an agent that was started in it. */
function matches({ title, opening, children }: SessionSummary, words: readonly string[]): boolean {
  const text = `${title}\n${opening}`.toLowerCase();
  return words.every((word) => text.includes(word)) || children.some((child) => matches(child, words));
}

/** A line of the first messages that has the first word of the query, when the title has not; else undefined. */
export function foundLine({ title, opening }: SessionSummary, query: string): string | undefined {
  const word = query.toLowerCase().split(/\s+/).find(Boolean);
  if (word === undefined || title.toLowerCase().includes(word)) return undefined;
  const line = opening.split('\n').find((one) => one.toLowerCase().includes(word));
  const at = line?.toLowerCase().indexOf(word) ?? 0;
  return at > 40 ? `…${line?.slice(at - 20) ?? ''}` : line;
}

function dayWords(time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  const date = new Date(time);
  if (days < 7) return date.toLocaleDateString('en', { weekday: 'long' });
  return `${date.getDate()} ${date.toLocaleDateString('en', { month: 'long' })} ${date.getFullYear()}`;
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
