import { awayWords, changedWords, isKnownToChange, launchedWords } from '../changedWords';
import { knownUse } from '../knownUse';
import { reachedPaths } from '../reachedPaths';
import type { ShellPart, ShellRedirection, ShellWord } from '../shellPart';
import type { ShellKind } from '../shellParts';
import { programName, type UnwrappedCommand } from '../unwrapCommand';
import type { ChangedWords } from './changed';
import { changedByVariables } from './changedByVariables';

/**
 * A file that the shell opens for a command, or that the command itself touches. `change` is written; `remove` and `copy` include
 * everything in the file; `use` is only named; `reach` is named by a command that may write to it; `enter` is a folder that the
 * line changes to, or a script; `option` is a pattern that, in one of the paths, may match a name that the command takes for an
 * option.
 */
export interface TouchedFile {
  kind: 'read' | 'write' | 'remove' | 'change' | 'copy' | 'use' | 'reach' | 'enter' | 'option';
  /** As written. */
  text: string;
  /** Every path it may mean, relative to the workspace; null if that cannot be known. */
  paths: readonly string[] | null;
  /** The paths are patterns, and everything that these match is meant. */
  isPattern?: true;
}

/** The folders that a command may run in, relative to the workspace; null if they cannot be known. */
export type Folders = readonly string[] | null;

/** A command without its wrappers; `isInert`: it changes and runs nothing. */
interface TouchingCommand {
  part: ShellPart;
  unwrapped: UnwrappedCommand;
  isInert: boolean;
}

/** `folders` is where the command runs, `before` where the line is before it. */
interface TouchingPlace {
  shell: ShellKind;
  folders: Folders;
  before: Folders;
}

const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Matches every file in the folder, as `*` does. */
const ALL_HERE = /^(\.\/+|[^/.][^/]*\/+\.\.\/+)+[*?]+$/;
const PATTERN = { isPattern: true } as const;
/** Anything longer is not a path on any system. */
const MAX_PATH = 4096;

/** Returns what the redirections and the words of a command touch. */
export function touchedFiles({ part, unwrapped, isInert }: TouchingCommand, place: TouchingPlace): TouchedFile[] {
  const { shell, folders, before } = place;
  const command = unwrapped.layers.at(-1) ?? [];
  const launched = isInert ? [] : launchedWords(command);
  const set = [...part.assignments, ...unwrapped.assignments];
  const changed = [
    ...[...unwrapped.layers, launched].map((words) => changedWords(words, shell)),
    changedByVariables(set, isInert ? [] : part.words),
  ];
  const away = isInert ? [] : awayWords(command, shell).filter(({ text }) => !NO_FILE.test(text));
  return [
    ...part.redirections.flatMap((one) => redirectedFile(one, folders)),
    ...changed.flatMap((one) => changedFiles(one, folders)),
    ...away.map((word) => touchedFile('change', word, folders)),
    ...usedFiles(command, folders),
    ...(shell === 'posix' ? optionPatterns(command, folders) : []),
    ...(isInert ? [] : reachedFiles(command, before, shell)),
  ];
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

/** A pattern is treated like a name in its folder, unless it may match hidden files there or begins with the home folder. */
function touchedFile(kind: TouchedFile['kind'], { text, kind: known }: ShellWord, folders: Folders): TouchedFile {
  // A path with the braces of find is below the folder that find searches, which is judged as a whole.
  const isFound = known === 'unknown' && /^[\w./-]*\{\}[\w./-]*$/.test(text);
  const isAll = kind === 'remove' && known === 'glob' && ALL_HERE.test(text);
  const isKnown = known === 'exact' || isFound ? text !== '' : known === 'glob' && !/^~|(^|\/)\.[^/]*[*?[]/.test(text);
  return { kind, text, paths: isKnown && !isAll ? pathsOf(text, folders) : null, ...(known === 'glob' && PATTERN) };
}

/** Returns what the words may name: these are only checked for links to something protected. */
function usedFiles(command: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const enters = entersOf(command);
  const files = namingWords(command).flatMap(({ text, kind }): TouchedFile[] => {
    if (kind === 'unknown' || text.length > MAX_PATH) return [];
    // A pattern that find compares names with is not a path, and what find runs is judged separately.
    const isPattern = kind === 'exact' && /[*?[]/.test(text) && /^g?find$/.test(programName(command[0]));
    if (isPattern) return [];
    const path = text.replace(/^-{1,2}[\w-]+=/, '');
    if (!isPath(kind === 'exact' ? path : path.replaceAll(/[*?]/g, '_')) || leavesOut(text)) return [];
    return [{ kind: 'use', text, paths: pathsOf(path, folders) ?? [path], ...(kind !== 'exact' && PATTERN) }];
  });
  return [...enters.map((word) => touchedFile('enter', word, folders)), ...files];
}

/** Returns patterns that match names with a leading dash which the command would take for options. */
function optionPatterns(command: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const dashes = command.findIndex(({ text }) => text === '--');
  const before = command.slice(1, dashes === -1 ? undefined : dashes);
  const patterns = before.filter(
    ({ text, kind }) => kind === 'names' || (kind !== 'exact' && /^-[^$`{]*[*?[]/.test(text)),
  );
  if (patterns.length === 0 || knownUse(command).anyOption) return [];
  return patterns.map(({ text }) => ({ kind: 'option', text, paths: folders }));
}

/** True for a name that a command takes for an option. */
export function isOptionName(path: string): boolean {
  return path.startsWith('-', path.lastIndexOf('/') + 1);
}

/** Returns what a command with unknown effects may touch through a link or a protected name. */
function reachedFiles(command: readonly ShellWord[], folders: Folders, shell: ShellKind): TouchedFile[] {
  const kind = isKnownToChange(command, shell) ? 'use' : 'reach';
  return reachedPaths(command.slice(1)).map((text) => ({ kind, text, paths: pathsOf(text, folders) ?? [text] }));
}

/** Returns the words that may be paths: text that is printed or searched for is not. */
function namingWords([program, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(program);
  if (/^(echo|printf)$/.test(name)) return [];
  const first = /^([ef]?grep|rg|g?sed|[gmn]?awk)$/.test(name)
    ? rest.findIndex(({ text }) => !text.startsWith('-'))
    : -1;
  return rest.filter((_, at) => at !== first);
}

/** A text that begins like a path is one, whatever follows; otherwise it is none if it has characters that are rare in names. */
function isPath(text: string): boolean {
  if (/^(\.{0,2}\/|~)/.test(text)) return true;
  return text !== '' && text.length < 300 && !/^-[^=]*$|[\s:|*?<>"]/.test(text);
}

/** Returns the folder or the script that determines what runs. */
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

export function below(folder: string, path: string): string {
  return folder === '.' || path.startsWith('/') ? path : `${folder}/${path}`;
}

/** Options that say what to leave out. */
const LEAVES_OUT = /^--(exclude|ignore|skip|no)[\w-]*(=|$)/;

/** Returns true for an option that says what to leave out. */
export function leavesOut(text: string): boolean {
  return LEAVES_OUT.test(text);
}
