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
