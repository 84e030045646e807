import type { ShellPart, ShellWord } from '../shellPart';
import { programName } from '../unwrapCommand';
import { filledIn } from './filledIn';

/** Values by variable. */
export type CertainValues = ReadonlyMap<string, readonly string[]>;

export const NONE_CERTAIN: CertainValues = new Map();
const SET = /^\s*([A-Za-z_]\w*)=(?:"([\w./@+-]+)"|'([\w./@+-]+)'|([\w./@+-]+))[ \t]*(?:;|\n|&&)/;
/** Variables that shells set themselves, or that mean something to them. */
const OF_SHELL =
  /^(IFS|PATH|HOME|CDPATH|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|E?UID|E?GID|PPID|GROUPS|DIRSTACK|REPLY|OPT\w*|FUNCNAME|PIPESTATUS|(BASH|ZSH|COMP|EPOCH|HIST|SHELL)\w*|_|path|cdpath|status|argv)$/;
/** Commands that set variables, or that run what the line does not contain. */
const MAY_SET =
  /^(eval|source|\.|trap|read|mapfile|readarray|getopts|vared|declare|typeset|local|export|readonly|integer|float|let|emulate|set|unset|alias|builtin|command|exec|printf|zmodload|wait|select)$/;

/**
 * Returns the variables that a line sets to plain text before anything else, and that nothing in it may change. Elsewhere, a value
 * might not be set after all, and the variable would keep the one of the environment.
 */
export function certainValues(line: string, parts: readonly ShellPart[]): CertainValues {
  const values = new Map<string, readonly string[]>();
  let rest = line;
  for (let found = SET.exec(rest); found; found = SET.exec(rest)) {
    const [all, name = '', double, single, plain] = found;
    values.set(name, values.has(name) || OF_SHELL.test(name) ? [] : [double ?? single ?? plain ?? '']);
    rest = rest.slice(all.length);
  }
  const isOpen = ({ words: [program] }: ShellPart) =>
    program !== undefined && (program.kind !== 'exact' || MAY_SET.test(programName(program)));
  if (values.size === 0 || parts.some(isOpen)) return NONE_CERTAIN;
  for (const name of values.keys())
    if (new RegExp(`(?<!\\w|\\$|\\$\\{|-)${name}(?!\\w)|\\$\\{${name}(?!\\})`).test(rest)) values.delete(name);
  return values;
}

/** To zsh, what follows such a variable cuts its value or replaces something in it. */
const CHANGED_BY_ZSH = /\$\w+(\[|:[\w&])/;

/** Returns words with the variables in them replaced, as far as their values are certain. */
export function withCertain(words: readonly ShellWord[], values: CertainValues): readonly ShellWord[] {
  if (values.size === 0) return words;
  return words.map((word) => {
    const isPlain = word.kind === 'unknown' && !CHANGED_BY_ZSH.test(word.text);
    const [text, ...others] = (isPlain && filledIn(word.text, values)) || [];
    return text === undefined || others.length > 0 || /[*?[~{]/.test(text) ? word : { text, kind: 'exact' };
  });
}
