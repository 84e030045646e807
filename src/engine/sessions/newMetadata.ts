import { randomId } from '../../base/newId';
import { NOT_SAID, type SessionMetadata } from './sessionEntry';
import type { NewSession } from './sessionStore';

/** The metadata that a session begins with, under a new id. `now`: in milliseconds since the epoch. */
export function newMetadata(session: NewSession, now: number): SessionMetadata {
  const fresh = { version: 1 as const, id: randomId(), title: '', opening: '', createdAt: now, modifiedAt: now };
  return { ...fresh, ...NOT_SAID, ...session };
}
