import { MAY_BE_PROTECTED, protectedPart } from '../protectedPaths';
import type { ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';
import { unescaped } from './started/startedScripts';
import { leavesOut } from './touched/touchedFiles';
import { programName } from './unwrapCommand';

/** A name that begins with a dot, without the dot. */
const DOTTED_NAME = /(?:^|[/{,=:])\.([^./\s:][^/\s:]*)/g;
/** Characters that only the shell can expand. */
const FILLED_IN = /[*?[{$`]/;

/** A pattern for files of a process, its variables among them. */
const OF_PROCESS = /(^|[/=:,@'"])proc\/.*\/$/;

function mayBeOfProcess(text: string): boolean {
  const name = text.lastIndexOf('/') + 1;
  return /[*?[{$]/.test(text.slice(name)) && OF_PROCESS.test(text.slice(0, name));
}

/** Options and variables of shells with which a pattern also matches names that begin with a dot. */
const SHOWS_HIDDEN = /^(dot_?glob|glob_?dots)$|^GLOBIGNORE=|^BASHOPTS=.*dotglob/i;
const DOTTED_BRACES = /[{,]\.[^/]/;

/** Returns, as a sentence, which of some words of a command names something protected; null if none does. */
export function protectedIn(
  command: readonly ShellWord[],
  seen: readonly ShellWord[],
  inert: boolean,
  shell: ShellKind,
): string | null {
  const searches = programName(command[0]) === 'find';
  for (const word of seen) {
    if (SHOWS_HIDDEN.test(word.text)) return 'With it, a pattern also matches protected files.';
    if (isLeftOut(command, command.indexOf(word))) continue;
    if (selectsHidden(command, command.indexOf(word))) return `“${word.text}” also selects protected files.`;
    if (searches && word.kind === 'exact' && isCompared(command, command.indexOf(word))) continue;
    const part = protectedWord(word, inert, shell);
    if (part !== undefined) return `${part} is protected; such paths always need approval.`;
  }
  return null;
}

/** Options after which, or in which, a pattern selects the files that are searched or passed on. */
const SELECTS = /^(?:-i?name|-i?path|-i?wholename|--include|-g|--i?glob)$/;
const SELECTS_GLUED = /^--(?:include|i?glob)=(.*)$/s;

/** Whether a word is a pattern for files that ripgrep passes over. */
function isLeftOut(command: readonly ShellWord[], at: number): boolean {
  const [text = '', before = ''] = [at, at - 1].map((index) => command[index]?.text);
  const isExcluded = /^(-g|--i?glob)$/.test(before) ? text.startsWith('!') : /^(-g|--i?glob=)!/.test(text);
  return programName(command[0]) === 'rg' && command[at]?.kind === 'exact' && isExcluded;
}

/** Whether a word is a pattern for names with a leading dot, whose files are read or passed to another command. */
function selectsHidden(command: readonly ShellWord[], at: number): boolean {
  const [text = '', before = '', sign = ''] = [at, at - 1, at - 2].map((index) => command[index]?.text);
  const pattern = SELECTS_GLUED.exec(text)?.[1] ?? (SELECTS.test(before) ? text : '');
  const isFound = programName(command[0]) === 'find';
  if (/^(!|-not)$/.test(sign) || (isFound && !command.some((word) => /^-(exec|ok)/.test(word.text)))) return false;
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  return name.startsWith('.') && FILLED_IN.test(name);
}

/** Whether a word of find comes after the folders it searches: names there are compared rather than touched, or are judged separately. */
function isCompared(command: readonly ShellWord[], at: number): boolean {
  const first = command.findIndex(({ text }) => /^[-(!]/.test(text));
  return first !== -1 && at > first && command[at - 1]?.text !== '-files0-from';
}

/**
 * Returns what is protected in a word, wherever in it a path may appear; undefined if nothing is. Text of several words that the
 * command only shows or searches for names nothing.
 */
function protectedWord({ text, kind }: ShellWord, isText: boolean, shell: ShellKind): string | undefined {
  // Windows has a short name for each file.
  if (shell === 'windows' && /~\d/.test(text)) return `“${text}”, which may be something`;
  const plain = /\\[xu\d]/.test(text) && kind !== 'exact' ? unescaped(text) : text;
  if (kind !== 'exact' && mayBeOfProcess(plain)) return `“${text}”, which may be something`;
  if (!MAY_BE_PROTECTED.test(plain)) return undefined;
  // The text of an expansion may itself contain blanks.
  const shown = kind === 'exact' ? text : text.replaceAll(/\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}/g, '$$');
  if (leavesOut(text) || (isText && /\s/.test(shown))) return undefined;
  const separators = shell === 'windows' ? /[\\=:,'"()\s;<>|&{}[\]@#%!^+]+/g : /[=:,'"()\s;<>|&{}[\]`@#%!^+]+/g;
  const part = protectedPart(plain.replaceAll(separators, '/'));
  if (part !== undefined) return part;
  if (kind === 'exact') return undefined;
  const hides =
    DOTTED_BRACES.test(text) || [...text.matchAll(DOTTED_NAME)].some(([, name = '']) => FILLED_IN.test(name));
  return hides ? `“${text}”, which may be something` : undefined;
}
