import { safeLine } from '../../base/shown/safeText';

/** The path of content that is not in a file. */
export const MEMORY = '<memory>';

/** A problem in a content file, with its position. */
export interface ContentProblem {
  /** `io`: the file could not be read. `parse`: it is not valid YAML or TOML. `schema`: its content is invalid. */
  kind: 'io' | 'parse' | 'schema';
  /**
   * An error keeps the file from being used; a warning reports a part that has no effect or is invisible; a note reports a part
   * that does not change what an agent knows or can do.
   */
  severity: 'error' | 'warning' | 'note';
  /** Absolute path, or `<memory>`. */
  path: string;
  /** 1-based, in the file. */
  line: number;
  column: number;
  /** What is wrong and how to fix it. */
  message: string;
  /** The probable intended word. */
  meant?: Meant;
  /** The tool that Cairn itself lacks, as a script would be called that provides it. */
  lacksTool?: string;
  /** Alternative fixes, each of which solves the problem by itself. */
  remedies?: readonly Remedy[];
}

/** A change of a YAML file at the place that the keys lead to. `value`: YAML source text. */
export type Remedy =
  | { readonly kind: 'set'; readonly where: readonly PropertyKey[]; readonly value: string }
  | { readonly kind: 'remove'; readonly where: readonly PropertyKey[] };

/** `written` appears at the position of the problem, or soon after it. */
export interface Meant {
  written: string;
  instead: string;
}

/** Formats a problem as one line that is safe to print in a terminal: `path:line:column: error: message`. */
export function problemLine({ path, line, column, severity, message }: ContentProblem): string {
  return `${safeLine(path, 1000, 'exact')}:${line}:${column}: ${severity}: ${safeLine(message, 1000)}`;
}

/** The origin of a piece of content; by name, a later one wins over an earlier one. */
export type ContentScope = 'builtin' | 'user' | 'workspace';

/** The tools whose conventions a folder may follow, with their names for users. Cairn's own files need none. */
export const WORLD_NAMES = {
  cairn: '',
  opencode: 'OpenCode',
  claude: 'Claude',
  copilot: 'Copilot',
  cursor: 'Cursor',
  gemini: 'Gemini',
  codex: 'Codex',
  shared: '.agents',
} as const;

/** The tool whose conventions a folder follows. */
export type ContentWorld = keyof typeof WORLD_NAMES;

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
