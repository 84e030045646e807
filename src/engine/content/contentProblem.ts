import { safeLine } from '../../base/shown/safeText';

/** Where content without a file comes from. */
export const MEMORY = '<memory>';

/** What is wrong with a file of content, and where. */
export interface ContentProblem {
  /** `io`: it could not be read. `parse`: it is no YAML, or no TOML. `schema`: what it says has no meaning here. */
  kind: 'io' | 'parse' | 'schema';
  /**
   * An error keeps the file from being used; a warning tells what of it has no effect or is not seen; a note does so of what changes nothing
   * that an agent can do or knows.
   */
  severity: 'error' | 'warning' | 'note';
  /** Absolute, or `<memory>`. */
  path: string;
  /** From 1, in the file. */
  line: number;
  column: number;
  /** What is wrong and what to write instead. */
  message: string;
  /** What was most likely meant instead of a word. */
  meant?: Meant;
  /** Each of which would put it right by itself. */
  remedies?: readonly Remedy[];
}

/** A change of a file of YAML, by the keys that lead to its place. `value`: as it stands in the file. */
export type Remedy =
  | { readonly kind: 'set'; readonly where: readonly PropertyKey[]; readonly value: string }
  | { readonly kind: 'remove'; readonly where: readonly PropertyKey[] };

/** `written` stands where the problem is, or soon after it. */
export interface Meant {
  written: string;
  instead: string;
}

/** One line for a terminal, safe to look at: `path:line:column: error: message`. */
export function problemLine({ path, line, column, severity, message }: ContentProblem): string {
  return `${safeLine(path, 1000, 'exact')}:${line}:${column}: ${severity}: ${safeLine(message, 1000)}`;
}
