import type { Disposable } from '../../base/disposable';
import type { Clock, FileSystem, Log, PathStyle } from '../ports';
import type { SessionEntry, SessionMetadata } from './sessionEntry';

export interface StoredSession {
  metadata: SessionMetadata;
  entries: readonly SessionEntry[];
  /** What was repaired or skipped on opening, one sentence each, with file and line number. */
  problems: readonly string[];
}

/** The exclusive right to run in a session. */
export interface SessionHold {
  /** True if another process wrote to the session since this one read it. */
  readonly changed: boolean;
  release(): Promise<void>;
}

/** The initial settings of a session. */
export type NewSession = Pick<SessionMetadata, 'workspace' | 'model' | 'approvalMode' | 'name'> &
  Partial<
    Pick<
      SessionMetadata,
      'keptModel' | 'workMode' | 'agent' | 'role' | 'skills' | 'skillPolicy' | 'variables' | 'own' | 'pinned' | 'parent'
    >
  > & {
    /** Absent: derived from the first message. */
    title?: string;
  };

/** A store for sessions. Writes to a session are serialized, including those of other processes. */
export interface SessionStore {
  /**
   * For sessions that are not stored on disk: the root folder of their files, and a file system for the engine that includes
   * them. Absent: stored on disk.
   */
  readonly elsewhere?: { readonly folder: string; over(disk: FileSystem): FileSystem };
  /** Redacts what must not be stored. */
  readonly strike?: ((text: string) => string) | undefined;
  /** Resolves once all secrets to redact are known. */
  readonly secretsKnown?: (() => Promise<void>) | undefined;
  create(session: NewSession): Promise<SessionMetadata>;
  /** Runs work that finds or creates a session, while no other process does the same. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects with EngineError `not-found` if the session does not exist. */
  open(id: string): Promise<StoredSession>;
  /**
   * Prevents other processes from running in the session until released; null if one of them is, or if it is already held here.
   * Adds the entries of `keepWaiting` to the history. Rejects with EngineError `not-found` if the session does not exist.
   */
  hold(id: string): Promise<SessionHold | null>;
  /** Whether another process is running in the session. */
  heldElsewhere(id: string): Promise<boolean>;
  /**
   * Returns the current contents; `entries` is null if nothing was added since this process last read or ran in the session. Null
   * while any process runs in it. Repairs nothing.
   */
  readAtRest(id: string): Promise<{ metadata: SessionMetadata; entries: readonly SessionEntry[] | null } | null>;
  /** Calls `onChange` shortly after the session changed on disk. */
  watch(id: string, onChange: () => void): Disposable;
  /**
   * Appends an entry; resolves once it is on disk. Rejects with EngineError `invalid-state` while another process runs in the
   * session, and if one took it over.
   */
  append(id: string, entry: SessionEntry): Promise<void>;
  /** Queues entries for a session in which another process runs; the next process to hold or open it adds them to its history. */
  keepWaiting(id: string, entries: readonly SessionEntry[]): Promise<void>;
  /** `isStill` checks the current metadata under the lock; if it returns false, nothing is changed. Returns the resulting metadata. */
  changeMetadata(
    id: string,
    changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>,
    isStill?: (now: SessionMetadata) => boolean,
  ): Promise<SessionMetadata>;
  /** Copies a file from one session's folder to another's. */
  copyFile(from: string, to: string, name: string): Promise<void>;
  /**
   * Moves the session's folder to the trash, or removes it if there is none; later writes reject with EngineError `not-found`.
   * Rejects with EngineError `invalid-state` while another process runs in it. If removal fails, the session stays as it was.
   */
  remove(id: string): Promise<void>;
  /** Returns all sessions, last modified first. Unreadable folders are logged and left out. */
  list(): Promise<SessionMetadata[]>;
  /** Returns the absolute path of a session's folder, for long outputs. */
  folder(id: string): string;
}

/** What an engine provides to a store. */
export interface SessionStorePorts {
  files: FileSystem;
  paths: PathStyle;
  clock: Clock;
  log: Log;
  /** Redacts what must not be stored. */
  strike?: (text: string) => string;
  /** Resolves once all secrets to redact are known. */
  secretsKnown?: () => Promise<void>;
}

/** Creates the store of an engine. Called once per engine. */
export type SessionsOf = (ports: SessionStorePorts) => SessionStore;
