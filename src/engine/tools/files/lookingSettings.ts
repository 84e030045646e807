/** An agent's settings for the tools that read and search files; if absent, the defaults of the tools apply. */
export interface LookingSettings {
  /** The maximum number of lines that one call of `fs_read` returns. */
  readonly readLines?: number | undefined;
  /** The maximum number of lines that one call of `fs_grep` finds. */
  readonly grepMatches?: number | undefined;
  /** Paths that `fs_grep` does not search, relative to the workspace, with `*` and `?`. */
  readonly grepExcludes?: readonly string[] | undefined;
}
