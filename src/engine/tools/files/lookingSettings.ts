/** What an agent wants of the tools that read and search files; absent: as the tools have it. */
export interface LookingSettings {
  /** Lines of a file that one call of `fs_read` gives at most. */
  readonly readLines?: number | undefined;
  /** Lines that one call of `fs_grep` finds at most. */
  readonly grepMatches?: number | undefined;
  /** Paths, relative to the workspace and with `*` and `?`, in which `fs_grep` does not search. */
  readonly grepExcludes?: readonly string[] | undefined;
}
