import { randomId } from '../../base/newId';
import { textOf } from '../messages/message';
import { titleFrom } from './agentSession';
import { NOT_SAID, openingOf, type SessionEntry, type SessionMetadata } from './sessionEntry';
import type { NewSession } from './sessionStore';

/** Reconstructs lost metadata from the history of a session. */
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

/** Returns the sessions without parents that lead back to the same session, which only an altered file can have. */
export function withoutLoops(all: readonly SessionMetadata[]): SessionMetadata[] {
  const parents = new Map(all.map(({ id, parent }) => [id, parent?.sessionId]));
  const leadsBack = (id: string) => {
    const passed = new Set<string>();
    let above = parents.get(id);
    for (; above !== undefined && above !== id && !passed.has(above); above = parents.get(above)) passed.add(above);
    return above === id;
  };
  return all.map((one) => (leadsBack(one.id) ? { ...one, parent: null } : one));
}

/** Returns the initial metadata of a session, with a new id. `now`: milliseconds since the epoch. */
export function newMetadata(session: NewSession, now: number): SessionMetadata {
  const fresh = { version: 1 as const, id: randomId(), title: '', opening: '', createdAt: now, modifiedAt: now };
  return { ...fresh, ...NOT_SAID, ...session };
}

/**
 * Redacts metadata with `strike` before it is stored. A variable that contains a secret is dropped: redacted, it would have a
 * different value, so it must be passed with each run.
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

/** Returns the variables in which `strike` finds nothing to redact. */
export function struckVariables(
  variables: Readonly<Record<string, string>>,
  strike: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => strike(value) === value));
}
