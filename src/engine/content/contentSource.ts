/** Who brought a piece of content; the later wins over the earlier by name. */
export const CONTENT_SCOPES = ['builtin', 'user', 'workspace'] as const;
export type ContentScope = (typeof CONTENT_SCOPES)[number];

/** Whose conventions a folder follows. */
export type ContentWorld = 'cairn' | 'opencode' | 'claude' | 'copilot' | 'cursor' | 'gemini' | 'shared';

/** Where a piece of content comes from. */
export interface ContentSource {
  scope: ContentScope;
  world: ContentWorld;
  /** Absolute path of its file, or `<memory>`. */
  path: string;
}

/** Content that has a name; one of the same name that comes later replaces it. */
export interface Named {
  readonly name: string;
  readonly source: ContentSource;
  /** It is not there, nor is what it replaces. */
  readonly disabled?: boolean;
}
