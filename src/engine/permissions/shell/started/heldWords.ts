import { SHELL } from '../innerScripts';
import type { LineLimits, ShellPart, ShellWord } from '../shellPart';
import { behindOptionsOfGit } from '../touched/changedByGit';
import { programName } from '../unwrapCommand';
import { unescaped } from './startedScripts';

/** What the variables hold that a line sets; null for one of which only the shell will know, and for all where that is not followed. */
export type HeldValues = ReadonlyMap<string, readonly string[] | null> | null;

const SETTERS = /^(export|declare|typeset|local|readonly|env)$/;
const MOST_VALUES = 4;
/** Longer lines, and those that stand deeper in others, are not followed. */
const MOST_PARTS = 100;
const MOST_DEPTH = 2;
const MOST_TEXT = 200;
const VARIABLE = /^\$\{?([A-Za-z_]\w*)\}?$/;
/** A variable with what stands for it where it is not set. */
const WITH_DEFAULT = /^\$\{([A-Za-z_]\w*):?-([\w./ +-]*)\}$/;
const LOOKED_UP = /^(?:\$\(|`)(?:which|command -v|type -P) ([\w.+-]+)[)`]$/;
/** Folders of programs, as people have them told. */
const PROGRAM_FOLDERS =
  /^(?:\$\{?[A-Za-z_]\w*\}?|~[\w.-]*|(?:\$\(|`)(?:(?:p?npm|yarn) (?:bin|root|prefix)(?: -g)?|go env \w+|brew --prefix(?: [\w@.-]+)?|git rev-parse --show-toplevel|pwd)[)`])(?:\/[\w.@+-]+)+$/;

/** With what was set before, in the lines around this one. */
export function heldBy(parts: readonly ShellPart[], before: HeldValues, depth: number): HeldValues {
  if (!before || depth >= MOST_DEPTH || parts.length > MOST_PARTS) return null;
  const held = new Map(before);
  for (const { assignments, words } of parts) {
    const set = SETTERS.test(programName(words[0])) ? words.slice(1) : [];
    for (const { text, kind } of [...assignments, ...set]) {
      const [, name, index, value = ''] = /^([A-Za-z_]\w*)(\[[^\]]*\]|\+)?=(.*)$/s.exec(text) ?? [];
      if (name === undefined) continue;
      const known = held.has(name) ? held.get(name) : [];
      const isKnown =
        kind === 'exact' && index === undefined && value.length < MOST_TEXT && known && known.length < MOST_VALUES;
      held.set(name, isKnown ? [...known, value] : null);
    }
  }
  return held;
}

/** The command with what its variables hold in their places, once for each value; empty where none is known. */
export function heldCommands(
  words: readonly ShellWord[],
  held: HeldValues,
  limits: LineLimits,
): readonly (readonly ShellWord[])[] {
  if (!held) return [];
  const values = words.map((word, at) => valuesOf(word, at === 0, held));
  const most = Math.max(0, ...values.map((one) => one?.length ?? 0));
  return Array.from({ length: most }, (_, round) =>
    words.flatMap((word, at): readonly ShellWord[] => {
      const own = values[at];
      if (!own || own.length === 0) return [word];
      const text = own[Math.min(round, own.length - 1)] ?? '';
      limits.addText(text);
      if (limits.isExceeded) return [];
      return text.split(/\s+/).flatMap((one): ShellWord[] => (one === '' ? [] : [{ text: one, kind: 'exact' }]));
    }),
  );
}

const MOST_BRACES = 8;

/**
 * The command as it is where what only the shell knows holds nothing, and braces stand for several words: `tar $1xf a` is `tar xf a`.
 * Empty where that leaves no more of it than was known. What would then lead out of the folder, as all below `$HOME` would, is left.
 */
export function emptiedCommands(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const left = words.map((word) => (word.kind === 'unknown' ? leftOf(word) : [word]));
  const isTold = words.some(({ kind }, at) => kind === 'unknown' && left[at]?.some((word) => word.kind === 'exact'));
  return isTold ? [left.flat()] : [];
}

function leftOf(word: ShellWord): readonly ShellWord[] {
  const text = withoutExpansions(word.text);
  if (/(^|[=:])[/~]|(^|\/)\.\.(\/|$)|\.\.$/.test(text)) return [word];
  return bracesOf(text, MOST_BRACES).flatMap((one): ShellWord[] => (one === '' ? [] : [{ text: one, kind: 'exact' }]));
}

/** The words that a shell makes of braces, as far as these are simple. */
function bracesOf(text: string, most: number): readonly string[] {
  const [, before = '', inside = '', behind = ''] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text) ?? [];
  const ways = inside.split(',');
  return inside === '' || ways.length > most
    ? [text]
    : ways.flatMap((way) => bracesOf(before + way + behind, most / ways.length));
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** Text without what the shell puts other things in the place of; quoted in its own way it says what it stands for. */
function withoutExpansions(text: string): string {
  let left = '';
  for (let at = 0; at < text.length;) {
    const end = endOfExpansion(text, at);
    if (text.startsWith("$'", at)) left += unescaped(text.slice(at + 2, end - 1));
    else if (end === at) left += text.charAt(at);
    at = Math.max(end, at + 1);
  }
  return left;
}

/** Where what begins here ends, or the same place when the shell takes it as it stands. */
function endOfExpansion(text: string, at: number): number {
  const [sign, next] = [text.charAt(at), text.charAt(at + 1)];
  if (sign === '`') return endBehind(text.indexOf('`', at + 1), text);
  if (sign !== '$') return at;
  if (next === "'") return endBehind(text.indexOf("'", at + 2), text);
  const closing = CLOSES[next];
  if (closing === undefined)
    return at + (/^\$([=~^+]?[A-Za-z_]\w*|\d|[@*#?$!-])?/.exec(text.slice(at, at + MOST_TEXT))?.[0].length ?? 1);
  let end = at + 1;
  for (let open = 0; end < text.length; end++) {
    if (text.charAt(end) === next) open++;
    else if (text.charAt(end) === closing && --open === 0) break;
  }
  return Math.min(end + 1, text.length);
}

function endBehind(found: number, text: string): number {
  return found === -1 ? text.length : found + 1;
}

function valuesOf({ text, kind }: ShellWord, isProgram: boolean, held: HeldValues): readonly string[] | null {
  if (kind !== 'unknown' || !held) return null;
  const [, name] = VARIABLE.exec(text) ?? [];
  if (name !== undefined) return held.get(name) ?? null;
  const [, other, standard] = WITH_DEFAULT.exec(text) ?? [];
  if (other !== undefined && standard !== undefined) {
    const known = held.has(other) ? held.get(other) : [];
    return known ? [...known, standard] : null;
  }
  const [, looked] = (isProgram && LOOKED_UP.exec(text)) || [];
  return looked === undefined ? null : [looked];
}

/** Why nobody can say which program a command starts, or which part of git, as a sentence; null when that is known. */
export function veiledProgram(words: readonly ShellWord[], held: HeldValues, line: string): string | null {
  const veiled = [...words.slice(0, 1), ...named(words)].find((word) => isVeiled(word, held, line));
  return veiled ? `What “${veiled.text}” starts cannot be determined in advance.` : null;
}

/** Words that say what is started behind the name of the program. */
function named(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(words[0]);
  const isText = (at: number) => name === 'eval' || (SHELL.test(name) && /^-[a-z]*c$/.test(words[at - 1]?.text ?? ''));
  if (name !== 'git') return words.filter(({ text }, at) => at > 0 && isText(at) && VARIABLE.test(text));
  const rest = words.slice(1);
  const at = behindOptionsOfGit(rest);
  return rest.slice(at, at + 1);
}

function isVeiled(word: ShellWord, held: HeldValues, line: string): boolean {
  const { text, kind } = word;
  if (kind === 'exact' || valuesOf(word, true, held)) return false;
  // What stands in a folder of the workspace is a script of its own.
  if (/^(\.{1,2}|[\w-]+)\/[^{]*$/.test(text)) return false;
  if (!VARIABLE.test(text) && !PROGRAM_FOLDERS.test(text)) return true;
  // The environment's own are none that a line could choose.
  const [, name] = /^\$\{?(\w+)/.exec(text) ?? [];
  if (name === undefined || !isSet(name, held, line)) return false;
  return VARIABLE.test(text) || !held?.get(name)?.every((value) => /^\S*$/.test(value));
}

function isSet(name: string, held: HeldValues, line: string): boolean {
  return !held || held.has(name) || new RegExp(`(?<![\\w$])(?<!\\$\\{)${name}(?!\\w)|\\$\\{${name}\\W?=`).test(line);
}
