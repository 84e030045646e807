/** A file change that a tool is about to make. */
export interface WatchedEdit {
  sessionId: string;
  runId: string;
  /** Absolute paths. */
  paths: readonly string[];
  /** True if nobody has seen the change and the approval mode calls for a later review. */
  reviewAfter: boolean;
  /** Ends the tool, even while it waits for other changes of the same files. */
  signal: AbortSignal;
}

/** Wraps every file change by a tool, so that a front end can attribute it. */
export interface EditWatcher {
  /** Runs `change` once, unless it is canceled first; settles like `change`. */
  around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T>;
}

/** For front ends without review. */
export const unwatchedEdits: EditWatcher = { around: (_edit, change) => change() };
