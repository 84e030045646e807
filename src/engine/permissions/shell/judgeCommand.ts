import { commandCaution } from './commandCaution';
import type { ShellRedirection, ShellWord } from './shellPart';
import { type ShellKind, shellParts } from './shellParts';
import { removedWords } from './removedWords';
import { programName, unwrapCommand } from './unwrapCommand';

/** One simple command of a line, as rules judge it. */
export interface CommandPart {
  /** As it was written. */
  text: string;
  /** The words of the command itself, wrappers taken off: what a rule may allow. */
  words: readonly string[];
  /** Those words, and what else would run by way of it: what a rule may deny. */
  layers: readonly (readonly string[])[];
  /** Why no rule for its words may allow it, as a sentence; null when one may. */
  caution: string | null;
  /** What its redirections touch, and what it removes. */
  files: readonly TouchedFile[];
}

/** A file that the shell opens for a command, or one that the command removes. */
export interface TouchedFile {
  kind: 'read' | 'write' | 'remove';
  /** As it was written. */
  text: string;
  /** Every path it may mean, from the workspace; null when that cannot be known. */
  paths: readonly string[] | null;
}

/** Where a command may be run, from the workspace; null when that cannot be known. */
type Folders = readonly string[] | null;

const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const MAX_FOLDERS = 8;

/** Takes a line apart and says of each command what may be known of it. Pure. */
export function judgeCommand(line: string, shell: ShellKind): readonly CommandPart[] {
  const { parts, unclear } = shellParts(line, shell);
  const doubt = unclear === null ? null : `It uses ${unclear}, so it cannot be judged with certainty.`;
  if (parts.length === 0) return [{ text: line, words: [], layers: [], caution: doubt, files: [] }];
  let folders: Folders = ['.'];
  return parts.map((part) => {
    const unwrapped = unwrapCommand(part.words);
    const command = unwrapped.layers.at(-1) ?? [];
    const layers = [...unwrapped.layers, ...alsoRun(command, shell)];
    const files = [
      ...part.redirections.flatMap((one) => redirectedFile(one, folders)),
      ...layers.flatMap((words) => removedWords(words, shell)).map((word) => removedFile(word, folders)),
    ];
    folders = foldersAfter(command, folders, shell);
    return {
      text: part.text,
      words: textsOf(command),
      layers: layers.map(textsOf),
      caution: doubt ?? commandCaution(part, unwrapped),
      files,
    };
  });
}

/** What `find -exec` and `sh -c` run. */
function alsoRun(command: readonly ShellWord[], shell: ShellKind): (readonly ShellWord[])[] {
  const name = programName(command[0]);
  if (name === 'find') {
    const at = command.findIndex(({ text }) => /^-(exec|ok)(dir)?$/.test(text));
    return at === -1 ? [] : [command.slice(at + 1)];
  }
  const at = command.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  if (!/^(ba|da|k|z|a)?sh$/.test(name) || at === -1) return [];
  return shellParts(command[at + 1]?.text ?? '', shell).parts.map(({ words }) => words);
}

function redirectedFile({ kind, target }: ShellRedirection, folders: Folders): TouchedFile[] {
  const { text } = target;
  if (target.kind === 'exact' && NO_FILE.test(text)) return [];
  if (target.kind !== 'exact' || text === '') return [{ kind, text, paths: null }];
  return [{ kind, text, paths: pathsOf(text, folders) }];
}

/** A pattern stands in its folder like a name, unless it may mean what is hidden there, or the person's own folder. */
function removedFile({ text, kind }: ShellWord, folders: Folders): TouchedFile {
  const isKnown = kind === 'exact' ? text !== '' : kind === 'glob' && !/^~|(^|\/)\.[^/]*[*?[]/.test(text);
  return { kind: 'remove', text, paths: isKnown ? pathsOf(text, folders) : null };
}

function pathsOf(text: string, folders: Folders): readonly string[] | null {
  return text.startsWith('/') ? [text] : folders && folders.map((folder) => below(folder, text));
}

/** A change of folder may fail, so that both the old and the new one are possible afterwards. */
function foldersAfter(command: readonly ShellWord[], folders: Folders, shell: ShellKind): Folders {
  const name = programName(command[0]);
  if (!/^(cd|chdir|pushd|popd|set-location|sl)$/.test(name)) return folders;
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
