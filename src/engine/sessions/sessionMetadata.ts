import { randomId } from '../../base/newId';
import { textOf } from '../messages/message';
import { titleFrom } from './agentSession';
import { NOT_SAID, openingOf, type SessionEntry, type SessionMetadata } from './sessionEntry';
import type { NewSession } from './sessionStore';

/** What the history of a session tells of its metadata, for when that is lost. */
export function rebuildMetadata(id: string, entries: readonly SessionEntry[], now: number): SessionMetadata {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const first = messages.flatMap((one) => (one.role === 'user' && !one.automatic ? [one] : []))[0];
  const lastRun = entries.findLast((entry) => entry.type === 'run-started');
  return {
    version: 1,
    id,
    title: (first && titleFrom(textOf(first))) || 'Recovered session',
    opening: openingOf(messages),
    name: null,
    createdAt: first?.time ?? now,
    modifiedAt: lastRun?.time ?? now,
    workspace: lastRun?.workspace ?? '',
    model: lastRun?.model ?? null,
    approvalMode: 'edits-and-commands',
    ...NOT_SAID,
  };
}

/** The metadata that a session begins with, under a new id. `now`: in milliseconds since the epoch. */
export function newMetadata(session: NewSession, now: number): SessionMetadata {
  const fresh = { version: 1 as const, id: randomId(), title: '', opening: '', createdAt: now, modifiedAt: now };
  return { ...fresh, ...NOT_SAID, ...session };
}

/**
 * What is to be kept of a session without what `strike` takes out of texts. A variable that holds some of it is left out: it
 * would be another value, and has to be said with each run.
 */
export function struckMetadata<T extends Partial<Pick<SessionMetadata, 'title' | 'opening' | 'variables'>>>(
  given: T,
  strike: (text: string) => string,
): T {
  const struck = { ...given };
  if (given.title !== undefined) struck.title = strike(given.title);
  if (given.opening !== undefined) struck.opening = strike(given.opening);
  if (given.variables !== undefined) struck.variables = struckVariables(given.variables, strike);
  return struck;
}

/** Those of the variables that hold nothing that `strike` takes out. */
export function struckVariables(
  variables: Readonly<Record<string, string>>,
  strike: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => strike(value) === value));
}
