/** What a tool is for. */
export type ToolKind = 'files' | 'shell' | 'web' | 'todos' | 'people' | 'skills' | 'team';

/** What of the work of its kind it does, where others have to know. */
export type ToolRole = 'writes-todos' | 'marks-todos' | 'starts-agents' | 'delegates' | 'sends-messages';

/** How several calls are told of in one line: "Read 4 files, searched twice". */
export type ToolCounting = 'file' | 'search' | 'list' | 'page' | 'other';

/** What others have to know of a tool who tell of tools, offer them or explain them: none of them has a list of names. */
export interface ToolTraits {
  readonly kind?: ToolKind;
  readonly roles?: readonly ToolRole[];
  /** The chat shows what it does in another place; only a call that went wrong gets a line. */
  readonly quiet?: true | undefined;
  /** Instead of its titles' first word while a call runs: "Reading". */
  readonly doing?: string;
  readonly counted?: ToolCounting;
}
