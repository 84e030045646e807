import type { Disposable } from '../../base/disposable';
import type { Clock, FileSystem, Log, PathStyle } from '../ports';
import type { SessionEntry, SessionMetadata } from './sessionEntry';

export interface StoredSession {
  metadata: SessionMetadata;
  entries: readonly SessionEntry[];
  /** What had to be repaired or left out on opening, a sentence each, with file and line. */
  problems: readonly string[];
}

/** The right to run in a session. */
export interface SessionHold {
  /** True when another process wrote to the session since this one read it. */
  readonly changed: boolean;
  release(): Promise<void>;
}

/** What a session begins with. */
export type NewSession = Pick<SessionMetadata, 'workspace' | 'model' | 'approvalMode' | 'name'> &
  Partial<
    Pick<
      SessionMetadata,
      'workMode' | 'agent' | 'role' | 'skills' | 'skillPolicy' | 'variables' | 'own' | 'pinned' | 'parent'
    >
  > & {
    /** Absent: the first message names it. */
    title?: string;
  };

/** Where conversations are kept. Writes to one session happen one after another, also those of other processes. */
export interface SessionStore {
  /**
   * Where what belongs to sessions is kept that are not on the disk: the folder of all of it, and the files of the engine with
   * those below it. Absent: on the disk.
   */
  readonly elsewhere?: { readonly folder: string; over(disk: FileSystem): FileSystem };
  /** Takes out of a text what must not be kept. */
  readonly strike?: ((text: string) => string) | undefined;
  /** Resolves when all of that is known. */
  readonly secretsKnown?: (() => Promise<void>) | undefined;
  create(session: NewSession): Promise<SessionMetadata>;
  /** Does work that looks for a session and makes it when it is missing, while no other process does such work. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects with EngineError `not-found` when there is no such session. */
  open(id: string): Promise<StoredSession>;
  /**
   * Keeps other processes from running in the session until it is released; null when one of them does, or it is held here. Takes up what was said
   * to it meanwhile (`keepWaiting`). Rejects with EngineError `not-found` when there is no such session.
   */
  hold(id: string): Promise<SessionHold | null>;
  /** True while another process runs in the session. */
  heldElsewhere(id: string): Promise<boolean>;
  /**
   * What there is now, `entries` being null when nothing came since this process read or ran in it last. Null while anybody
   * runs in the session. Repairs nothing.
   */
  readAtRest(id: string): Promise<{ metadata: SessionMetadata; entries: readonly SessionEntry[] | null } | null>;
  /** Tells, soon after, that something of the session changed on disk. */
  watch(id: string, onChange: () => void): Disposable;
  /**
   * Adds one entry; when the promise resolves it is on disk. Rejects with EngineError `invalid-state` while another process
   * runs in the session, and when one took it over.
   */
  append(id: string, entry: SessionEntry): Promise<void>;
  /** Keeps entries for a session in which another process runs; whoever holds or opens it next takes them into its history. */
  keepWaiting(id: string, entries: readonly SessionEntry[]): Promise<void>;
  /** `isStill` looks at what is there under the lock; when it says no, nothing is changed. Gives what there is then. */
  changeMetadata(
    id: string,
    changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>,
    isStill?: (now: SessionMetadata) => boolean,
  ): Promise<SessionMetadata>;
  /** Copies one file of a session's folder into another's. */
  copyFile(from: string, to: string, name: string): Promise<void>;
  /**
   * Moves the session's folder to where a person can get it back, or removes it where there is no such place; later
   * writes to it reject with EngineError `not-found`. Rejects with EngineError `invalid-state` while another process runs in
   * it; a session that could not be removed stays as it was.
   */
  remove(id: string): Promise<void>;
  /** All sessions, last modified first. A folder that cannot be read is reported to the log and left out. */
  list(): Promise<SessionMetadata[]>;
  /** Absolute folder of a session, for long outputs. */
  folder(id: string): string;
}

/** What a store may use of an engine. */
export interface SessionStorePorts {
  files: FileSystem;
  paths: PathStyle;
  clock: Clock;
  log: Log;
  /** Takes out of a text what must not be kept. */
  strike?: (text: string) => string;
  /** Resolves when all of that is known. */
  secretsKnown?: () => Promise<void>;
}

/** The store of an engine. Called once for each engine. */
export type SessionsOf = (ports: SessionStorePorts) => SessionStore;
