import { MAY_BE_PROTECTED, protectedPart } from '../protectedPaths';
import { awayWords, type ChangedWords, changedWords, isKnownToChange, launchedWords } from './changedWords';
import { commandCaution } from './commandCaution';
import { hiddenCommand } from './hiddenCommand';
import { innerScripts, runsPiped } from './innerScripts';
import { knownUse } from './knownUse';
import { reachedPaths } from './reachedPaths';
import type { ShellPart, ShellRedirection, ShellWord } from './shellPart';
import { type ShellKind, shellParts } from './shellParts';
import { programName, unwrapCommand } from './unwrapCommand';

/** One simple command of a line, as rules judge it. */
export interface CommandPart {
  /** As it was written. */
  text: string;
  /** The words of the command itself, wrappers taken off: what a rule may allow. */
  words: readonly string[];
  /** Those words, and what else would run by way of it: what a rule may deny. */
  layers: readonly (readonly ShellWord[])[];
  /** Why no rule for its words may allow it, as a sentence; null when one may. */
  caution: string | null;
  /** Why it always asks, whatever a rule or the mode says, as a sentence; null when it need not. */
  unread: string | null;
  /** Why a command that a rule denies may hide in it, as a sentence; null when it is clear what it runs. */
  obscure: string | null;
  /** Texts that it may run, or hand to what runs them. */
  mentions: readonly string[];
  /** How many of its words say what is run, if all that follows is known to do no harm; else 0. */
  harmlessAfter: number;
  /** What its redirections and its words touch. */
  files: readonly TouchedFile[];
}

/**
 * A file that the shell opens for a command, or one that the command itself touches: `change` is written, `remove` and `copy` are
 * taken with all that is in them, `use` is only named, `reach` the same by a command that may write there, `enter` is a folder to go on
 * in, or a script.
 */
export interface TouchedFile {
  kind: 'read' | 'write' | 'remove' | 'change' | 'copy' | 'use' | 'reach' | 'enter';
  /** As it was written. */
  text: string;
  /** Every path it may mean, from the workspace; null when that cannot be known. */
  paths: readonly string[] | null;
  /** The paths are patterns, and mean what is found by them. */
  isPattern?: true;
}

/** Where a command may be run, from the workspace; null when that cannot be known. */
type Folders = readonly string[] | null;

/** Where a line or a command stands. */
interface Place {
  shell: ShellKind;
  folders: Folders;
  /** In how many other commands. */
  depth: number;
  /** Whether the shell that runs it may go to another folder at some time. */
  leaves: boolean;
  /** Whether a command of the line may run what another one of it says. */
  isHeard: boolean;
}

const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const PATTERN = { isPattern: true } as const;
const MAX_FOLDERS = 8;
/** What is longer is no path that a system takes. */
const MAX_PATH = 4096;
const MAX_DEPTH = 6;

/** Takes a line apart and says of each command what may be known of it. Pure. */
export function judgeCommand(line: string, shell: ShellKind): readonly CommandPart[] {
  return judgeLine(line, { shell, depth: 0, folders: ['.'], leaves: false, isHeard: false });
}

function judgeLine(line: string, place: Place): readonly CommandPart[] {
  const { shell } = place;
  const { parts, unclear, unread } = shellParts(line, shell);
  const [doubt, lost] = [unclear, unread].map((what) =>
    what === null ? null : `It uses ${what}, so it cannot be judged with certainty.`,
  );
  const found = parts.length > 0 ? parts : [{ text: line, assignments: [], words: [], redirections: [], inputs: [] }];
  let { folders } = place;
  const opened = found.map(openPart);
  const leaving = opened.filter(({ unwrapped }) => changesFolder(unwrapped.layers.at(-1) ?? []));
  const wanders = leaving.some(({ part }) => part.repeats);
  const leaves = place.leaves || leaving.length > 0;
  const isHeard = place.isHeard || opened.some(({ scripts }) => scripts.some(runsPiped));
  return opened.map((one) => {
    const { part } = one;
    if (wanders && part.repeats) folders = null;
    const { command, ...judged } = judgePart(one, { ...place, folders, leaves, isHeard });
    folders = setsWay(part) ? null : foldersAfter(command, folders, shell);
    return { ...judged, caution: doubt ?? judged.caution, unread: lost ?? judged.unread };
  });
}

/** A command with its wrappers taken off, and what each of its layers runs. */
function openPart(part: ShellPart) {
  const unwrapped = unwrapCommand(part.words);
  return { part, unwrapped, scripts: unwrapped.layers.map((words) => innerScripts(words, part)) };
}

function judgePart({ part, unwrapped, scripts }: ReturnType<typeof openPart>, place: Place) {
  const { shell, depth, leaves } = place;
  const folders = unwrapped.moved ? null : place.folders;
  const command = unwrapped.layers.at(-1) ?? [];
  const tooDeep = depth >= MAX_DEPTH && scripts.some(({ lines, commands }) => lines.length + commands.length > 0);
  // What a trap holds runs at some later time, wherever the line is by then.
  const isLater = leaves && programName(command[0]) === 'trap';
  const inner = tooDeep ? [] : innerParts(scripts, { ...place, depth: depth + 1, folders: isLater ? null : folders });
  const { harmless, inert, named } = knownUse(command);
  const launched = inert ? [] : launchedWords(command);
  const changed = [...unwrapped.layers, launched].map((words) => changedWords(words, shell));
  const away = inert ? [] : awayWords(command, shell).filter(({ text }) => !NO_FILE.test(text));
  const files = [
    ...part.redirections.flatMap((one) => redirectedFile(one, folders)),
    ...changed.flatMap((one) => changedFiles(one, folders)),
    ...away.map((word) => touchedFile('change', word, folders)),
    ...usedFiles(command, folders),
    ...(inert ? [] : reachedFiles(command, place.folders, shell)),
    ...inner.flatMap((one) => one.files),
  ];
  const obscure = tooDeep
    ? 'It is wrapped in too many other commands.'
    : firstOf([
        ...scripts.map((one) => one.obscure),
        ...unwrapped.obscure,
        ...inner.map((one) => one.obscure ?? one.unread),
        hiddenCommand(part, unwrapped.layers, { isJudged: inner.length > 0, isInert: inert }),
      ]);
  const texts = [...part.assignments, ...(inert ? [] : [...part.words, ...part.inputs])];
  const isText = inert && !place.isHeard;
  const seen = [...part.assignments, ...part.words, ...(isText ? [] : part.inputs)];
  return {
    command,
    text: part.text,
    words: textsOf(command),
    layers: [...unwrapped.layers, ...inner.flatMap((one) => one.layers)],
    caution: commandCaution(part, unwrapped) ?? protectedIn(command, seen, isText, shell),
    unread: firstOf([protectedIn(command, seen, isText, shell), ...inner.map((one) => one.unread)]),
    obscure,
    // What a variable says may be read behind the words, as what a subcommand stands for.
    mentions: [
      ...textsOf([...texts, ...part.assignments, ...unwrapped.assignments]),
      ...inner.flatMap((one) => one.mentions),
    ],
    harmlessAfter: harmless ? named : 0,
    files,
  };
}

function innerParts(scripts: readonly ReturnType<typeof innerScripts>[], place: Place): readonly CommandPart[] {
  return scripts.flatMap(({ lines, commands }) => [
    ...lines.flatMap((line) => judgeLine(line, place)),
    ...commands.map((words) => {
      const part = { text: textsOf(words).join(' '), assignments: [], words, redirections: [], inputs: [] };
      return judgePart(openPart(part), place);
    }),
  ]);
}

function protectedIn(
  command: readonly ShellWord[],
  seen: readonly ShellWord[],
  inert: boolean,
  shell: ShellKind,
): string | null {
  const searches = programName(command[0]) === 'find';
  for (const word of seen) {
    if (/^(dot_?glob|glob_?dots)$/i.test(word.text)) return 'With it a pattern means what is protected as well.';
    if (searches && word.kind === 'exact' && command.indexOf(word) > firstTest(command)) continue;
    const part = protectedWord(word, inert, shell);
    if (part !== undefined) return `${part} is protected; such paths always need approval.`;
  }
  return null;
}

/** Where what find searches for begins; names in it are compared, not touched. */
function firstTest(command: readonly ShellWord[]): number {
  const at = command.findIndex(({ text }) => /^[-(!]/.test(text));
  return at === -1 ? command.length : at;
}

function redirectedFile({ kind, target }: ShellRedirection, folders: Folders): TouchedFile[] {
  const { text } = target;
  if (target.kind === 'exact' && NO_FILE.test(text)) return [];
  if (target.kind !== 'exact' || text === '') return [{ kind, text, paths: null }];
  return [{ kind, text, paths: pathsOf(text, folders) }];
}

function changedFiles({ removed, changed, copied, unknown }: ChangedWords, folders: Folders): TouchedFile[] {
  const ofKind = (kind: TouchedFile['kind'], words: readonly ShellWord[]) =>
    words.filter((word) => !NO_FILE.test(word.text)).map((word) => touchedFile(kind, word, folders));
  return [
    ...ofKind('remove', removed),
    ...ofKind('change', changed),
    ...ofKind('copy', copied),
    ...(unknown === null ? [] : [{ kind: 'change', text: unknown, paths: null } as const]),
  ];
}

/** A pattern stands in its folder like a name, unless it may mean what is hidden there, or the person's own folder. */
function touchedFile(kind: TouchedFile['kind'], { text, kind: known }: ShellWord, folders: Folders): TouchedFile {
  // What find puts in place of the brackets lies where it searches, which is looked at as a whole.
  const isFound = known === 'unknown' && /^[\w./-]*\{\}[\w./-]*$/.test(text);
  const isKnown = known === 'exact' || isFound ? text !== '' : known === 'glob' && !/^~|(^|\/)\.[^/]*[*?[]/.test(text);
  return { kind, text, paths: isKnown ? pathsOf(text, folders) : null, ...(known === 'glob' && PATTERN) };
}

/** What the words may name: it is only looked at whether a link leads to something protected. */
function usedFiles(command: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const enters = entersOf(command);
  const files = namingWords(command).flatMap(({ text, kind }): TouchedFile[] => {
    if (kind === 'unknown' || text.length > MAX_PATH) return [];
    // What find compares names with is none, and what it runs is judged by itself.
    const isPattern = kind === 'exact' && /[*?[]/.test(text) && /^g?find$/.test(programName(command[0]));
    if (isPattern) return [];
    const path = text.replace(/^-{1,2}[\w-]+=/, '');
    if (!isPath(kind === 'exact' ? path : path.replaceAll(/[*?]/g, '_')) || leavesOut(text)) return [];
    return [{ kind: 'use', text, paths: pathsOf(path, folders) ?? [path], ...(kind !== 'exact' && PATTERN) }];
  });
  return [...enters.map((word) => touchedFile('enter', word, folders)), ...files];
}

/** What a command may touch of which nobody knows what it does, by a link or a name that is protected. */
function reachedFiles(command: readonly ShellWord[], folders: Folders, shell: ShellKind): TouchedFile[] {
  const kind = isKnownToChange(command, shell) ? 'use' : 'reach';
  return reachedPaths(command.slice(1)).map((text) => ({ kind, text, paths: pathsOf(text, folders) ?? [text] }));
}

/** Words that may be paths: what is shown, or searched for, is none. */
function namingWords([program, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(program);
  if (/^(echo|printf)$/.test(name)) return [];
  const first = /^([ef]?grep|rg|g?sed|[gmn]?awk)$/.test(name)
    ? rest.findIndex(({ text }) => !text.startsWith('-'))
    : -1;
  return rest.filter((_, at) => at !== first);
}

/** What begins like a path is one, whatever follows; else what holds signs that are rare in names is text. */
function isPath(text: string): boolean {
  if (/^(\.{0,2}\/|~)/.test(text)) return true;
  return text !== '' && text.length < 300 && !/^-[^=]*$|[\s:|*?<>"]/.test(text);
}

/** The folder or the script on which it depends what runs. */
function entersOf(command: readonly ShellWord[]): readonly ShellWord[] {
  const [program, ...rest] = command;
  const name = programName(program);
  if (/^(cd|chdir|pushd|popd)$/.test(name)) {
    const [target = { text: '~', kind: 'unknown' }] = rest.filter(({ text }) => !/^(-[LPe@]+|--)$/.test(text));
    return [target.text.startsWith('-') ? { ...target, kind: 'unknown' } : target];
  }
  if (/^(git|make|tar|npm|pnpm|yarn)$/.test(name)) {
    const at = rest.findIndex(({ text }) => /^(-C|--prefix|--cwd|--dir)$/.test(text));
    return at === -1 ? [] : rest.slice(at + 1, at + 2);
  }
  const isOwn = program?.kind === 'exact' && program.text.includes('/') && !program.text.startsWith('/');
  const script = /^((ba|da|k|z|a)?sh|node|nodejs|tsx|python[\d.]*|ruby|perl)$/.test(name)
    ? rest.find(({ text }) => !text.startsWith('-'))
    : undefined;
  return [...(isOwn ? [program] : []), ...(script ? [script] : [])];
}

function pathsOf(text: string, folders: Folders): readonly string[] | null {
  return text.startsWith('/') ? [text] : folders && folders.map((folder) => below(folder, text));
}

const CHANGES_FOLDER = /^(cd|chdir|pushd|popd|set-location|sl)$/;

/** True for a command after which the line may go on in another folder. */
function changesFolder(command: readonly ShellWord[]): boolean {
  const [program] = command;
  // It may be `cd`.
  if (program && program.kind !== 'exact') return true;
  const name = programName(program);
  // What these are given is run by the shell itself.
  if (/^(eval|trap|emulate)$/.test(name))
    return command.some(
      ({ text, kind }) => kind !== 'exact' || /\b(cd|chdir|pushd|popd)\b/.test(text.replaceAll(/["'\\]/g, '')),
    );
  return CHANGES_FOLDER.test(name);
}

/** Sets the variable that says where `cd` looks for a folder. */
function setsWay({ assignments, words, inputs }: ShellPart): boolean {
  return [...assignments, ...words.slice(1), ...inputs].some(({ text }) => /^(\$\{)?(CDPATH|cdpath)\b/.test(text));
}

/** A change of folder may fail, so that both the old and the new one are possible afterwards. */
function foldersAfter(command: readonly ShellWord[], folders: Folders, shell: ShellKind): Folders {
  if (!changesFolder(command)) return folders;
  const name = programName(command[0]);
  const [, target, ...more] = command;
  const plain = name === 'cd' && shell === 'posix' && more.length === 0 && target?.kind === 'exact';
  if (!folders || !plain || target.text.startsWith('-') || folders.length > MAX_FOLDERS / 2) return null;
  return [...folders, ...folders.map((folder) => below(folder, target.text))];
}

function below(folder: string, path: string): string {
  return folder === '.' || path.startsWith('/') ? path : `${folder}/${path}`;
}

function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.map(({ text }) => text);
}

function firstOf(sentences: readonly (string | null)[]): string | null {
  return sentences.find((one) => one !== null) ?? null;
}

/** Options that say what is left out. */
const LEAVES_OUT = /^--(exclude|ignore|skip|no)[\w-]*(=|$)/;

/** True for an option that says what is left out. */
function leavesOut(text: string): boolean {
  return LEAVES_OUT.test(text);
}

/** A name that begins with a dot and of which the rest is known to the shell only. */
const HIDDEN_UNKNOWN = /(^|[/{,=:])\.[^./\s][^/\s]*[*?[{$`]|(^|[/{,=:])\.[*?[{$`]/;

const DOTTED_BRACES = /[{,]\.[^,}/]/;

/**
 * What of a word is protected, wherever in it a path may stand; undefined when nothing is. Text of more than one word, that the
 * command only shows or searches for, names nothing.
 */
function protectedWord({ text, kind }: ShellWord, isText: boolean, shell: ShellKind): string | undefined {
  // Windows has a short name for each file.
  if (shell === 'windows' && /~\d/.test(text)) return `“${text}”, which may be something`;
  if (!MAY_BE_PROTECTED.test(text)) return undefined;
  if (leavesOut(text) || (isText && /\s/.test(text))) return undefined;
  const separators = shell === 'windows' ? /[\\=:,'"()\s;<>|&{}[\]@#%!^+]+/g : /[=:,'"()\s;<>|&{}[\]`@#%!^+]+/g;
  const part = protectedPart(text.replaceAll(separators, '/'));
  if (part !== undefined) return part;
  if (kind === 'exact') return undefined;
  return HIDDEN_UNKNOWN.test(text) || DOTTED_BRACES.test(text) ? `“${text}”, which may be something` : undefined;
}
