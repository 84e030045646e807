import type { SessionEntry, SessionMetadata } from './sessionEntry';

export interface StoredSession {
  metadata: SessionMetadata;
  entries: readonly SessionEntry[];
  /** What had to be repaired or left out on opening, a sentence each, with file and line. */
  problems: readonly string[];
}

/** What a session begins with. */
export type NewSession = Pick<SessionMetadata, 'workspace' | 'model' | 'approvalMode' | 'name'> &
  Partial<Pick<SessionMetadata, 'agent' | 'variables' | 'parent'>>;

/** Where conversations are kept. Writes to one session happen one after another, in the order they were asked for. */
export interface SessionStore {
  create(session: NewSession): Promise<SessionMetadata>;
  /** Rejects with EngineError `not-found` when there is no such session. */
  open(id: string): Promise<StoredSession>;
  /** Adds one entry; when the promise resolves it is on disk. */
  append(id: string, entry: SessionEntry): Promise<void>;
  changeMetadata(id: string, changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>): Promise<SessionMetadata>;
  /** All sessions, last modified first. A folder that cannot be read is reported to the log and left out. */
  list(): Promise<SessionMetadata[]>;
  /** Absolute folder of a session, for long outputs. */
  folder(id: string): string;
}
