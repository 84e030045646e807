import { isAbort } from '../../base/abort';
import { Mutex } from '../../base/async';
import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { callable, issuesOf } from '../checkPlugin';
import { EngineError } from '../engineError';
import { FileSessionStore } from './fileSessionStore';
import { freshCallIds } from './parseHistory';
import { sessionEntrySchema, type SessionMetadata, sessionMetadataSchema } from './sessionEntry';
import { struckMetadata } from './sessionMetadata';
import type { SessionsOf, SessionStore, SessionStorePorts } from './sessionStore';

/**
 * A session store provided by a program. Its data is JSON; `newMetadata` creates the initial metadata of a session. `folder` is a
 * path on this machine, where long outputs and copies of changed files are stored. The optional methods are only needed if
 * several processes share sessions.
 */
export type ProgramStore = Pick<SessionStore, Needed> & Partial<Pick<SessionStore, Shared>>;
type Needed = 'create' | 'open' | 'append' | 'changeMetadata' | 'hold' | 'list' | 'remove' | 'folder' | 'copyFile';
type Shared = 'alone' | 'heldElsewhere' | 'readAtRest' | 'watch' | 'keepWaiting' | 'elsewhere';

/** Checks that the methods exist, since the program may not be type-checked. Allows additional properties, which class instances have. */
const storeSchema = z.object({
  create: callable,
  open: callable,
  append: callable,
  changeMetadata: callable,
  hold: callable,
  list: callable,
  remove: callable,
  folder: callable,
  copyFile: callable,
});

/**
 * Wraps a program's store: results are validated, and known secrets are redacted before they are passed to it. Throws EngineError
 * `invalid-input` if a method is missing; errors of its methods become EngineErrors that name the store.
 */
export function guardedStore(sessions: (ports: SessionStorePorts) => ProgramStore): SessionsOf {
  return (ports) => {
    const store = sessions(ports);
    if (store instanceof FileSessionStore) return store;
    const { error } = storeSchema.safeParse(store);
    if (!error) return guarded(named(store), ports);
    const isLate = store instanceof Promise;
    const why = isLate ? 'it is a promise; pass the store itself' : issuesOf(error);
    throw new EngineError('invalid-input', `The session store cannot be used: ${why}.`);
  };
}

/** Returns the store with errors that name it. */
function named(store: ProgramStore): ProgramStore {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      const fail = (error: unknown) => failed(String(key), error);
      return (...given: unknown[]) => {
        try {
          const answer: unknown = Reflect.apply(value, target, given);
          return answer instanceof Promise ? answer.catch(fail) : answer;
        } catch (error) {
          return fail(error);
        }
      };
    },
  });
}

/** EngineErrors and aborts are passed on unchanged. */
function failed(method: string, error: unknown): never {
  if (EngineError.is(error) || isAbort(error)) throw error;
  const why = errorText(error).replace(/\.$/, '');
  throw new EngineError('io', `The session store of the program failed in “${method}”: ${why}.`, { cause: error });
}

function guarded(store: ProgramStore, { strike = (text) => text, secretsKnown }: SessionStorePorts): SessionStore {
  const turns = new Mutex();
  const never = new AbortController().signal;
  return {
    strike,
    secretsKnown,
    ...(store.elsewhere && { elsewhere: store.elsewhere }),
    create: async (session) => metadataOf(await store.create(struckMetadata(session, strike))),
    open: async (id) => {
      const { metadata, entries, problems } = await store.open(id);
      return { metadata: metadataOf(metadata), entries: entriesOf(id, entries), problems };
    },
    append: (id, entry) => store.append(id, entry),
    changeMetadata: async (id, changes, isStill) =>
      metadataOf(await store.changeMetadata(id, struckMetadata(changes, strike), isStill)),
    hold: (id) => store.hold(id),
    list: async () => (await store.list()).map(metadataOf),
    remove: (id) => store.remove(id),
    folder: (id) => store.folder(id),
    copyFile: (from, to, name) => store.copyFile(from, to, name),
    alone: (work) => store.alone?.(work) ?? turns.take(work, never),
    heldElsewhere: (id) => store.heldElsewhere?.(id) ?? Promise.resolve(false),
    readAtRest: async (id) => {
      const found = (await store.readAtRest?.(id)) ?? null;
      const entries = found?.entries && entriesOf(id, found.entries);
      return found && { metadata: metadataOf(found.metadata), entries: entries ?? null };
    },
    watch: (id, onChange) => store.watch?.(id, onChange) ?? { dispose: () => undefined },
    keepWaiting: (id, entries) => store.keepWaiting?.(id, entries) ?? Promise.reject(busy(id)),
  };
}

function busy(id: string): EngineError {
  const text = `Session ${id} is running elsewhere. Send it the message again when that run has ended.`;
  return new EngineError('invalid-state', text);
}

function metadataOf(given: unknown): SessionMetadata {
  const { success, data, error } = sessionMetadataSchema.safeParse(given);
  if (success) return data;
  throw damaged('What the store gave as the metadata of a session', error);
}

function entriesOf(id: string, given: readonly unknown[]) {
  const entries = given.map((one, at) => {
    const { success, data, error } = sessionEntrySchema.safeParse(one);
    if (success) return data;
    throw damaged(`Entry ${at + 1} of session ${id}, as the store gave it,`, error);
  });
  return freshCallIds(entries);
}

function damaged(what: string, error: z.SchemaError): EngineError {
  const why = z.prettifyError(error).replaceAll('\n', ' ');
  return new EngineError('damaged', `${what} is not valid: ${why}. Return it as it was saved.`);
}
