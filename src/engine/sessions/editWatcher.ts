/** A change of files that a tool is about to make. */
export interface WatchedEdit {
  sessionId: string;
  runId: string;
  /** Absolute. */
  paths: readonly string[];
  /** True when no person has seen it, and the approval mode is to have it reviewed afterwards. */
  reviewAfter: boolean;
  /** Ends the tool, also while it waits for others that change the same files. */
  signal: AbortSignal;
}

/** Stands around each change of files by a tool, so that a front end knows whose it is. */
export interface EditWatcher {
  /** Carries out `change` once, unless it is cancelled before; gives and throws what it does. */
  around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T>;
}

/** For a front end where nobody reviews. */
export const unwatchedEdits: EditWatcher = { around: (_edit, change) => change() };
