import { SHELL } from '../innerScripts';
import { knownUse } from '../knownUse';
import type { LineLimits, ShellPart, ShellWord } from '../shellPart';
import { behindOptionsOfGit } from '../touched/changedByGit';
import { programName } from '../unwrapCommand';
import { filledIn } from './filledIn';
import { saidLines, unescaped } from './startedScripts';

/** The values that a line puts into the words of its commands. */
export interface HeldValues {
  /** Values by variable; null for a variable that only the shell can know, and for all of them if they are not tracked. */
  named: ReadonlyMap<string, readonly string[] | null> | null;
  /** Returns lists of words that any other word known only to the shell may become. */
  said: () => readonly (readonly string[])[];
}

export const NOTHING_HELD: HeldValues = { named: new Map(), said: () => [] };

const SETTERS = /^(export|declare|typeset|local|readonly|env)$/;
const MOST_VALUES = 4;
/** Longer lines and more deeply nested ones are not tracked. */
const MOST_PARTS = 100;
const MOST_DEPTH = 2;
const MOST_TEXT = 200;
const MOST_CUTS = 4;
const VARIABLE = /^\$\{?([A-Za-z_]\w*)\}?$/;
/** A variable with a default for when it is not set. */
const WITH_DEFAULT = /^\$\{([A-Za-z_]\w*):?-([\w./ +-]*)\}$/;
const LOOKED_UP = /^(?:\$\(|`)(?:which|command -v|type -P) ([\w.+-]+)[)`]$/;
/** Program folders, in the ways that people refer to them. */
const PROGRAM_FOLDERS =
  /^(?:\$\{?[A-Za-z_]\w*\}?|~[\w.-]*|(?:\$\(|`)(?:(?:p?npm|yarn) (?:bin|root|prefix)(?: -g)?|go env \w+|brew --prefix(?: [\w@.-]+)?|git rev-parse --show-toplevel|pwd)[)`])(?:\/[\w.@+-]+)+$/;

/** Returns the variables that the parts set, in addition to those of the lines around them. */
export function heldBy(parts: readonly ShellPart[], before: HeldValues, depth: number): HeldValues {
  const isFollowed = depth < MOST_DEPTH && parts.length <= MOST_PARTS;
  return { named: before.named && isFollowed ? namedBy(parts, before.named) : null, said: saidIn(parts, before.said) };
}

function namedBy(parts: readonly ShellPart[], before: NonNullable<HeldValues['named']>): HeldValues['named'] {
  const held = new Map(before);
  for (const part of parts) {
    const { assignments, words } = part;
    for (const name of filledNames(part)) held.set(name, null);
    const set = SETTERS.test(programName(words[0])) ? words.slice(1) : [];
    // The variable is a reference to another one.
    const isReference = set.some(({ text }) => /^-[a-zA-Z]*n/.test(text));
    for (const { text, kind } of [...assignments, ...set]) {
      const [, name, index, value = ''] = /^([A-Za-z_]\w*)(\[[^\]]*\]|\+)?=(.*)$/s.exec(text) ?? [];
      if (name === undefined) continue;
      const known = held.has(name) ? held.get(name) : [];
      const isKnown =
        kind === 'exact' &&
        !isReference &&
        index === undefined &&
        value.length < MOST_TEXT &&
        known &&
        known.length < MOST_VALUES;
      held.set(name, isKnown ? [...known, value] : null);
    }
  }
  return held;
}

/** Returns the variables that a command sets to what it iterates over, reads, or prints. */
function filledNames({ words, inputs }: ShellPart): readonly string[] {
  if (words.length === 0) return inputs.slice(0, 1).map(({ text }) => text);
  return READERS.test(programName(words[0])) || isPrinted(words) ? words.slice(1).map(({ text }) => text) : [];
}

/** Returns the command with the values that its words may have, once for each value; empty if none is known. */
export function heldCommands(
  words: readonly ShellWord[],
  held: HeldValues,
  limits: LineLimits,
): readonly (readonly ShellWord[])[] {
  if (words.every(({ kind }) => kind !== 'unknown')) return [];
  return [...namedCommands(words, held, limits), ...saidCommands(words, held, limits)];
}

function namedCommands(words: readonly ShellWord[], held: HeldValues, limits: LineLimits) {
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

/** Programs whose first word selects the action, even without a dash. */
const BY_FIRST_WORD = /^(git|npm|pnpm|yarn|(bsd|g)?tar)$/;
const OPTION = /^(--?|\+)[\w$]|^\w+=/;
/** Expands to several words. */
const SEVERAL = /^(…|\$[@*]|\$\{.*[@*]\]?(:.*)?\})$/;

/** Returns the command with an option, or a shell text, from elsewhere in the line in place of each word that may become it. */
function saidCommands(
  words: readonly ShellWord[],
  held: HeldValues,
  limits: LineLimits,
): readonly (readonly ShellWord[])[] {
  if (knownUse(words).anyOption) return [];
  const dashes = words.findIndex(({ text }) => text === '--');
  const commands = new Map<string, readonly ShellWord[]>();
  for (const [at, word] of words.slice(0, dashes === -1 ? undefined : dashes).entries()) {
    const isKnown = held.named?.has('IFS') !== true && valuesOf(word, false, held);
    if (at === 0 || word.kind !== 'unknown' || isKnown) continue;
    const takesAny = isText(words, at) || (at === 1 && BY_FIRST_WORD.test(programName(words[0])));
    const [before, after] = [words.slice(0, at), words.slice(at + 1)];
    for (const own of saidInPlaceOf(word, held, takesAny, limits)) {
      const said = own.map((text): ShellWord => ({ text, kind: 'exact' }));
      const isOpen = after.length === 0 && own.length === 1 && SEVERAL.test(word.text);
      const command = [...before, ...said, ...(isOpen ? [{ ...word, text: '…' }] : after)];
      commands.set(command.map(({ text }) => text).join('\0'), command);
    }
  }
  return [...commands.values()];
}

/**
 * Returns each word of the line as it would appear in place of this one, with the words after it; only options, unless the place
 * takes anything.
 */
function* saidInPlaceOf(
  { text }: ShellWord,
  { said }: HeldValues,
  takesAny: boolean,
  limits: LineLimits,
): Generator<readonly string[]> {
  const ways = waysToBecome(text);
  for (const list of said()) {
    limits.addCompared(list.length);
    for (const [at, one] of list.entries()) {
      if (limits.isExceeded) return;
      const fitting = ways(one).filter((way) => takesAny || OPTION.test(way));
      if (fitting.length === 0) continue;
      const behind = list.slice(at + 1);
      limits.addCompared(fitting.length * list.length);
      yield* fitting.map((way) => [way, ...behind]);
    }
  }
}

/** Returns a function from a value to what a word that contains expansions may be with it. */
function waysToBecome(text: string): (value: string) => readonly string[] {
  if (text === '…' || endOfExpansion(text, 0) === text.length) return (value) => altered(text, value);
  const around = aroundExpansions(text);
  return (value) => [around.join(value)];
}

/** Returns what an expansion may turn a value into by cutting or rewriting it. */
function altered(expansion: string, value: string): readonly string[] {
  if (!/^\$\{\w+(\[[^\]]*\])?[:#%/^,@]/.test(expansion)) return [value];
  const [, from = '', to = ''] = /\/{1,2}([^/]*)\/([^/]*)\}$/.exec(expansion) ?? [];
  const cut = [...value.matchAll(/-/g)].slice(0, MOST_CUTS).map(({ index }) => value.slice(index));
  return [
    value,
    value.toLowerCase(),
    value.toUpperCase(),
    ...cut,
    ...(from === '' ? [] : [to, value.replace(from, () => to)]),
  ];
}

/** Commands that store what they read, or are given, in variables. */
const READERS = /^(read|mapfile|readarray|vared|getopts|set)$/;
const POSITIONAL = /\$\{?[@*1-9!#]/;
const SUBSTITUTION = /\$\(|`|<\(/;
const DEFAULT = /\$\{\w+(?:\[[^\]]*\])?:?[-=+]([^{}]*)\}/g;
const SET = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=(.*)$/s;

/** Returns, lazily, the words in some parts of a line that other parts may take as values. */
function saidIn(parts: readonly ShellPart[], before: HeldValues['said']): HeldValues['said'] {
  let found: readonly (readonly string[])[] | undefined;
  return () => (found ??= [...before(), ...saidLists(parts)]);
}

function saidLists(parts: readonly ShellPart[]): readonly (readonly string[])[] {
  const all = parts.flatMap(({ assignments, words, inputs }) => [...assignments, ...words, ...inputs]);
  const substituted = all.flatMap(({ text }) => (SUBSTITUTION.test(text) ? [text] : [])).join('\n');
  const hasPositional = parts.some(({ text }) => POSITIONAL.test(text));
  const splits = new RegExp(`[\\s${separatorsIn(all)}]+`);
  const texts = parts.flatMap((part, at): readonly string[] => {
    const { words, assignments, inputs } = part;
    // The output of a function counts wherever it is called.
    const isCalled = part.repeats === true && substituted !== '';
    const isHeard = isCalled || parts[at + 1]?.isPiped === true || substituted.includes(part.text);
    const set = [...assignments, ...words].flatMap(({ text }) => SET.exec(text)?.[3] ?? []);
    const read = words.length === 0 || READERS.test(programName(words[0])) || isHeard ? inputs : [];
    return [
      ...set,
      ...read.map(({ text }) => text),
      ...(isHeard || isPrinted(words) ? saidLines(withoutName(part)) : []),
    ];
  });
  const defaults = all.flatMap(({ text }) => [...text.matchAll(DEFAULT)].map(([, value = '']) => value));
  const given = parts.filter(({ words }) => hasPositional || READERS.test(programName(words[0])));
  return withFilled([
    ...elementsIn(all),
    ...[...texts, ...defaults].map((text) =>
      textOf(text)
        .split(splits)
        .filter((one) => one !== ''),
    ),
    ...[...texts.filter((text) => /\s/.test(text)), ...defaults].map((text) => [text]),
    ...given.map(({ words }) => words.slice(1).map(({ text }) => text)),
  ]);
}

/** Returns the values that are assigned to lists one by one. */
function elementsIn(words: readonly ShellWord[]): readonly (readonly string[])[] {
  const lists = new Map<string, readonly string[]>();
  for (const { text } of words) {
    const [, name = '', index, value = ''] = SET.exec(text) ?? [];
    if (index !== undefined || (name !== '' && value.startsWith('(')))
      lists.set(name, [...(lists.get(name) ?? []), ...textOf(value).split(/\s+/)]);
  }
  return [...lists.values()].filter((list) => list.length > 1);
}

/** Adds the words in which expansions are replaced. */
function withFilled(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const [plain, others] = [
    lists.flat().filter((one) => !/[$`]/.test(one)),
    lists.flat().filter((one) => /[$`]/.test(one)),
  ];
  const filled = others
    .slice(0, MOST_VALUES)
    .flatMap((one) => plain.slice(0, MOST_PARTS).map((value) => aroundExpansions(one).join(value)));
  return [...lists, ...filled.map((one) => [one])];
}

const MOST_BRACES = 8;

/**
 * Returns the command as it is if unknown expansions are empty, and with its braces expanded: `tar $1xf a` is `tar xf a`. Empty
 * if that reveals nothing more. Words that would then lead out of the folder, such as anything below `$HOME`, stay unchanged.
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

/** Returns the words that a shell makes of braces, if these are simple. */
function bracesOf(text: string, most: number): readonly string[] {
  const [, before = '', inside = '', behind = ''] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text) ?? [];
  const ways = inside.split(',');
  return inside === '' || ways.length > most
    ? [text]
    : ways.flatMap((way) => bracesOf(before + way + behind, most / ways.length));
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** Returns the text without its expansions, but with `$'…'` unescaped. */
function withoutExpansions(text: string): string {
  return aroundExpansions(text).join('');
}

/** Returns what stands before, between, and after the expansions of a text, with `$'…'` unescaped. */
function aroundExpansions(text: string): readonly string[] {
  const around: string[] = [];
  let left = '';
  for (let at = 0; at < text.length;) {
    const end = endOfExpansion(text, at);
    if (text.startsWith("$'", at)) left += unescaped(text.slice(at + 2, end - 1));
    else if (end === at) left += text.charAt(at);
    else {
      around.push(left);
      left = '';
    }
    at = Math.max(end, at + 1);
  }
  return [...around, left];
}

/** Returns where an expansion that begins here ends, or `at` if the shell takes the character literally. */
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

function valuesOf(
  { text, kind }: ShellWord,
  isProgram: boolean,
  { named: held }: HeldValues,
): readonly string[] | null {
  if (kind !== 'unknown' || !held) return null;
  const [, name] = VARIABLE.exec(text) ?? [];
  if (name !== undefined) return held.get(name) ?? null;
  const [, other, standard] = WITH_DEFAULT.exec(text) ?? [];
  if (other !== undefined && standard !== undefined) {
    const known = held.has(other) ? held.get(other) : [];
    return known ? [...known, standard] : null;
  }
  if (!isProgram && !VARIABLE.test(text)) {
    const filled = filledIn(text, held);
    if (filled) return filled;
  }
  const [, looked] = (isProgram && LOOKED_UP.exec(text)) || [];
  return looked === undefined ? null : [looked];
}

/** Returns the characters by which the line lets the shell split words, besides blanks, for a character class. */
function separatorsIn(words: readonly ShellWord[]): string {
  const values = words.flatMap(({ text }) => /^IFS=(.*)$/s.exec(text)?.[1] ?? []);
  return values.join('').slice(0, MOST_TEXT).replaceAll(/[^\w]/g, '\\$&');
}

/** Returns a value without the quotes still in it, or a list of values without its brackets. */
function textOf(text: string): string {
  const plain = text.replaceAll(/\$'((?:[^'\\]|\\.)*)'/g, (_, quoted: string) => unescaped(quoted));
  return /^\(.*\)$/s.test(plain) ? plain.slice(1, -1).replaceAll(/["'\\]|\[[^\]]*\]=/g, '') : plain;
}

/** True for words that are printed into a variable. */
function isPrinted(words: readonly ShellWord[]): boolean {
  return programName(words[0]) === 'printf' && words[1]?.text === '-v';
}

function withoutName(part: ShellPart): ShellPart {
  return isPrinted(part.words) ? { ...part, words: part.words.filter((_, at) => at !== 1 && at !== 2) } : part;
}

/** Returns why it cannot be known which program a command starts, or which subcommand of git, as a sentence; null if it is known. */
export function veiledProgram(words: readonly ShellWord[], held: HeldValues, line: string): string | null {
  const veiled = [...words.slice(0, 1), ...named(words)].find((word) => isVeiled(word, held, line));
  return veiled ? `What “${veiled.text}” starts cannot be determined in advance.` : null;
}

/** Returns the words after the program's name that determine what is started. */
function named(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(words[0]);
  if (name !== 'git') return words.filter(({ text }, at) => isText(words, at) && VARIABLE.test(text));
  const rest = words.slice(1);
  const at = behindOptionsOfGit(rest);
  return rest.slice(at, at + 1);
}

/** True for a word that a shell is given as text. */
function isText(words: readonly ShellWord[], at: number): boolean {
  const name = programName(words[0]);
  return at > 0 && (name === 'eval' || (SHELL.test(name) && /^-[a-z]*c$/.test(words[at - 1]?.text ?? '')));
}

function isVeiled(word: ShellWord, held: HeldValues, line: string): boolean {
  const { text, kind } = word;
  if (kind === 'exact' || valuesOf(word, true, held)) return false;
  // A program in a folder of the workspace is a script of its own.
  if (/^(\.{1,2}|[\w-]+)\/[^{]*$/.test(text)) return false;
  if (!VARIABLE.test(text) && !PROGRAM_FOLDERS.test(text)) return true;
  // The line cannot choose the value of a variable that comes from the environment.
  const [, name] = /^\$\{?(\w+)/.exec(text) ?? [];
  if (name === undefined || !isSet(name, held, line)) return false;
  return VARIABLE.test(text) || !held.named?.get(name)?.every((value) => /^\S*$/.test(value));
}

function isSet(name: string, { named: held }: HeldValues, line: string): boolean {
  return !held || held.has(name) || new RegExp(`(?<![\\w$])(?<!\\$\\{)${name}(?!\\w)|\\$\\{${name}\\W?=`).test(line);
}
