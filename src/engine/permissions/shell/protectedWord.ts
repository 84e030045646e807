import { protectedPart } from '../protectedPaths';
import type { ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';

/** Options that say what is left out. */
const LEAVES_OUT = /^--(exclude|ignore|skip|no)[\w-]*(=|$)/;

/** True for an option that says what is left out. */
export function leavesOut(text: string): boolean {
  return LEAVES_OUT.test(text);
}

/** A name that begins with a dot and of which the rest is known to the shell only. */
const HIDDEN_UNKNOWN = /(^|[/{,=:])\.[^./\s][^/\s]*[*?[{$`]|(^|[/{,=:])\.[*?[{$`]/;
const DOTTED_BRACES = /[{,]\.[^,}/]/;

/**
 * What of a word is protected, wherever in it a path may stand; undefined when nothing is. Text of more than one word, that the
 * command only shows or searches for, names nothing.
 */
export function protectedWord({ text, kind }: ShellWord, isText: boolean, shell: ShellKind): string | undefined {
  // Every name that is protected has a dot in it.
  if (!text.includes('.')) return undefined;
  if (leavesOut(text) || (isText && /\s/.test(text))) return undefined;
  const separators = shell === 'windows' ? /[\\=:,'"()\s;<>|&{}[\]]+/g : /[=:,'"()\s;<>|&{}[\]`]+/g;
  const part = protectedPart(text.replaceAll(separators, '/'));
  if (part !== undefined) return part;
  if (kind === 'exact') return undefined;
  return HIDDEN_UNKNOWN.test(text) || DOTTED_BRACES.test(text) ? `“${text}”, which may be something` : undefined;
}
