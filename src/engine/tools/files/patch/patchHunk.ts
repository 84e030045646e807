/** One row of a hunk: kept, taken away or added. */
export interface PatchRow {
  mark: ' ' | '-' | '+';
  text: string;
  /** True when the diff says that no line ending follows. */
  unended: boolean;
}

/** One hunk of a unified diff. */
export interface PatchHunk {
  /** The header as it was written. */
  header: string;
  /** The line of the old file where it begins, from 1; for a hunk that only adds, the line after which. Null in a bare `@@`. */
  oldStart: number | null;
  rows: readonly PatchRow[];
  /** What was put right while reading it, in words for the model. */
  note: string | null;
}
