import type { Disposable } from '../../base/disposable';
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
  Partial<Pick<SessionMetadata, 'agent' | 'role' | 'skills' | 'skillPolicy' | 'variables' | 'parent'>> & {
    /** Absent: the first message names it. */
    title?: string;
  };

/** Where conversations are kept. Writes to one session happen one after another, also those of other processes. */
export interface SessionStore {
  create(session: NewSession): Promise<SessionMetadata>;
  /** Rejects with EngineError `not-found` when there is no such session. */
  open(id: string): Promise<StoredSession>;
  /** Keeps other processes from running in the session until it is released; null when one of them does. */
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
  /** Adds one entry; when the promise resolves it is on disk. */
  append(id: string, entry: SessionEntry): Promise<void>;
  changeMetadata(id: string, changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>): Promise<SessionMetadata>;
  /** Copies one file of a session's folder into another's. */
  copyFile(from: string, to: string, name: string): Promise<void>;
  /**
   * Moves the session's folder to where a person can get it back, or removes it where there is no such place; later
   * writes to it reject with EngineError `not-found`.
   */
  remove(id: string): Promise<void>;
  /** All sessions, last modified first. A folder that cannot be read is reported to the log and left out. */
  list(): Promise<SessionMetadata[]>;
  /** Absolute folder of a session, for long outputs. */
  folder(id: string): string;
}
