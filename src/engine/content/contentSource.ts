/** The origin of a piece of content; by name, a later one wins over an earlier one. */
export const CONTENT_SCOPES = ['builtin', 'user', 'workspace'] as const;
export type ContentScope = (typeof CONTENT_SCOPES)[number];

/** The tool whose conventions a folder follows. */
export type ContentWorld = 'cairn' | 'opencode' | 'claude' | 'copilot' | 'cursor' | 'gemini' | 'codex' | 'shared';

/** Where a piece of content comes from. */
export interface ContentSource {
  scope: ContentScope;
  world: ContentWorld;
  /** Absolute path of its file, or `<memory>`. */
  path: string;
}

/** Content with a name; a later item of the same name replaces it. */
export interface Named {
  readonly name: string;
  readonly source: ContentSource;
  /** Neither this item nor the one that it replaces is available. */
  readonly disabled?: boolean;
}
