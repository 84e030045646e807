import { t } from '../../src/base/l10n';
import { costWords } from '../../src/protocol/costWords';
import type { SessionSummary } from '../../src/protocol/hostApi';
import { dateWords } from '../ui/dateWords';

interface SessionGroup {
  /** For example "Favorites", "Today", "Yesterday", "Monday", "November 3, 2026". */
  day: string;
  sessions: readonly SessionSummary[];
}

const DAY_MS = 86_400_000;

/**
 * Returns the sessions whose title or first messages contain all words of the query: first the favorites, then the others by the
 * day of their last change.
 */
export function sessionGroups(sessions: readonly SessionSummary[], query: string, now: number): SessionGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((session) => matches(session, words));
  const favorites = t('Favorites');
  const groups = new Map<string, SessionSummary[]>();
  for (const session of found) {
    const day = session.isFavorite ? favorites : dayWords(session.modifiedAt, now);
    groups.set(day, [...(groups.get(day) ?? []), session]);
  }
  const inOrder = [...groups].sort(([one], [other]) => Number(other === favorites) - Number(one === favorites));
  return inOrder.map(([day, of]) => ({ day, sessions: of }));
}

/** Whether the session, or that of an agent started in it, matches. */
function matches({ title, opening, children }: SessionSummary, words: readonly string[]): boolean {
  const text = `${title}\n${opening}`.toLowerCase();
  return words.every((word) => text.includes(word)) || children.some((child) => matches(child, words));
}

/** Returns a line of the first messages that contains the first word of the query, if the title does not; otherwise undefined. */
export function foundLine({ title, opening }: SessionSummary, query: string): string | undefined {
  const word = query.toLowerCase().split(/\s+/).find(Boolean);
  if (word === undefined || title.toLowerCase().includes(word)) return undefined;
  const line = opening.split('\n').find((one) => one.toLowerCase().includes(word));
  const at = line?.toLowerCase().indexOf(word) ?? 0;
  return at > 40 ? `…${line?.slice(at - 20) ?? ''}` : line;
}

/**
 * Returns the session's current activity, its changes and its cost and, if other sessions have the same title, the first
 * different line of its messages.
 */
export function factsOf(session: SessionSummary, isNamedAlike: boolean): string[] {
  const { activity, files, costUsd, opening, title } = session;
  const ownWords = opening.split('\n').find((line) => line.trim() !== '' && line.trim() !== title);
  return [
    ...(activity === null || activity === '' ? [] : [activity]),
    ...(isNamedAlike && ownWords !== undefined ? [ownWords] : []),
    ...(files === 0 ? [] : [files === 1 ? t('1 file changed') : t('{0} files changed', files)]),
    ...(costUsd === 0 ? [] : [costWords(costUsd)]),
  ];
}

/** Returns when it was last changed: the time, since the group shows the day; for a favorite from another day, the date. */
export function timeWords({ modifiedAt, isFavorite }: SessionSummary): string {
  const date = new Date(modifiedAt);
  if (!isFavorite || startOfDay(modifiedAt) === startOfDay(Date.now())) return dateWords(date, { timeStyle: 'short' });
  return dateWords(date, { day: 'numeric', month: 'short' });
}

/** Returns the titles shared by several sessions. */
export function repeatedTitles(sessions: readonly SessionSummary[]): ReadonlySet<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { title } of sessions) (once.has(title) ? again : once).add(title);
  return again;
}

function dayWords(time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS);
  if (days <= 0) return t('Today');
  if (days === 1) return t('Yesterday');
  return dateWords(time, days < 7 ? { weekday: 'long' } : { dateStyle: 'long' });
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
