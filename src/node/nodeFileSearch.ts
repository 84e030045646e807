import type { Ignore } from 'ignore';
import type { Dirent } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../base/abort';
import { EngineError, type FileQuery, type FileSearch, type GrepMatch } from '../engine';
import { fileError } from './fileError';
import { type LinePattern, matchingLines, parseLinePattern, searchedLines, searchedLinesAtOnce } from './lineMatcher';
import { findRipgrep, ripgrepPaths, ripgrepPattern, type RipgrepTask } from './ripgrep';

const NEVER = new Set(['.git', 'node_modules']);
/** Maximum length of a matching line, in characters. */
const MAX_LINE = 2000;

export interface FileSearchOptions {
  /** Absolute paths where ripgrep may be; searched before the PATH of `env`. */
  ripgrepCandidates: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Lists the files below a folder in the order of `comparePaths`. With a task, only the matching ones where that can be determined. */
type FilesBelow = (
  root: string,
  task: RipgrepTask | null,
  signal: AbortSignal,
  /** Called with each file as soon as it is found, unordered, if that is possible before all are. */
  onFile?: (file: string) => void,
) => AsyncGenerator<string>;

/**
 * Searches with ripgrep to list files if available, otherwise by walking folders; the results are the same. Hidden files are
 * searched; binary files and those over 10 MB are not. The root of a `grep` may also be a single file.
 */
export function nodeFileSearch({ ripgrepCandidates, env }: FileSearchOptions): FileSearch {
  let ripgrep: Promise<string | null> | undefined;

  const filesBelow: FilesBelow = async function* (root, task, signal, onFile) {
    ripgrep ??= findRipgrep(ripgrepCandidates, env);
    const program = task && (await ripgrep);
    const found = task && program !== null ? await ripgrepPaths(program, root, task, signal, onFile) : null;
    if (found) yield* found.sort(comparePaths);
    else yield* walkFiles(root, signal);
  };

  return {
    glob: (query, signal) => glob(filesBelow, query, signal),
    grep: (query, signal) => grep(filesBelow, query, signal),
  };
}

async function glob(
  filesBelow: FilesBelow,
  { root, include, limit }: FileQuery & { include: string },
  signal: AbortSignal,
): Promise<{ paths: string[]; complete: boolean }> {
  throwIfAborted(signal);
  const included = await globFilter(root, include);
  if ((await kindOf(root)) === 'file') throw new EngineError('not-directory', `${root} is not a folder.`);
  const paths: string[] = [];
  for await (const file of filesBelow(root, { kind: 'all' }, signal)) {
    if (!included(file)) continue;
    if (paths.length === limit) return { paths, complete: false };
    paths.push(file);
  }
  return { paths, complete: true };
}

async function grep(
  filesBelow: FilesBelow,
  { root, include, passesOver = () => false, limit, pattern }: FileQuery & { pattern: string },
  signal: AbortSignal,
): Promise<{ matches: GrepMatch[]; complete: boolean }> {
  throwIfAborted(signal);
  const wanted = parseLinePattern(pattern);
  const isFile = (await kindOf(root)) === 'file';
  const named = include === undefined ? () => true : await globFilter(isFile ? path.dirname(root) : root, include);
  const included = (file: string) => named(file) && !passesOver(file);
  const ahead = new LookAhead(wanted, limit + 1, included);
  const files = isFile ? [root] : filesBelow(root, taskFor(wanted), signal, (file) => ahead.look(file));
  const matches: GrepMatch[] = [];
  for await (const file of files) {
    throwIfAborted(signal);
    const found = ahead.found(file) ?? (included(file) ? linesIn(await searchedLines(file), wanted, limit + 1) : []);
    for (const { at, text } of found) {
      if (matches.length === limit) return { matches, complete: false };
      matches.push({ path: file, line: at + 1, text });
    }
  }
  return { matches, complete: true };
}

interface FoundLine {
  /** 0-based. */
  at: number;
  text: string;
}

function linesIn(lines: readonly string[] | null, wanted: LinePattern, limit: number): FoundLine[] {
  if (!lines) return [];
  return matchingLines(wanted, lines, limit).map((at) => ({ at, text: (lines[at] ?? '').slice(0, MAX_LINE) }));
}

/** Searches small files while ripgrep is still listing more, until there are enough matches. */
class LookAhead {
  private readonly seen = new Map<string, readonly FoundLine[]>();
  private left: number;

  constructor(
    private readonly wanted: LinePattern,
    private readonly limit: number,
    private readonly included: (file: string) => boolean,
  ) {
    this.left = limit;
  }

  look(file: string): void {
    if (this.left <= 0 || !this.included(file)) return;
    try {
      const lines = searchedLinesAtOnce(file);
      if (lines === undefined) return;
      const found = linesIn(lines, this.wanted, this.limit);
      this.seen.set(file, found);
      this.left -= Math.max(1, found.length);
    } catch {
      // A pattern that times out is reported when it is the file's turn.
      this.left = 0;
    }
  }

  found(file: string): readonly FoundLine[] | undefined {
    return this.seen.get(file);
  }
}

function taskFor({ source, ignoreCase }: LinePattern): RipgrepTask | null {
  const pattern = ripgrepPattern(source);
  return pattern === null ? null : { kind: 'matching', pattern, ignoreCase };
}

async function kindOf(root: string): Promise<'file' | 'directory'> {
  try {
    const found = await stat(root);
    if (found.isDirectory()) return 'directory';
    if (found.isFile()) return 'file';
    throw new EngineError('io', `${root} is neither a file nor a folder, so it cannot be searched.`);
  } catch (error) {
    throw fileError(error, root);
  }
}

async function globFilter(root: string, include: string): Promise<(file: string) => boolean> {
  const { pathGlob } = await import('../base/pathGlob');
  const matches = pathGlob(include);
  if (!matches) {
    const why =
      'It is too long, has too many braces, or parentheses that are not known. Use *, **, ?, [a-z], and {a,b}';
    throw new EngineError('invalid-input', `${include} cannot be used as a glob. ${why}.`);
  }
  return (file) => matches(path.relative(root, file).replaceAll(path.sep, '/'));
}

/** Lists regular files below a folder in order of their paths, except those in `.gitignore`. Links are not followed. */
async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, await GitIgnore.at(root), signal);
}

async function* walk(folder: string, ignored: GitIgnore, signal: AbortSignal): AsyncGenerator<string> {
  throwIfAborted(signal);
  for (const entry of await entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (NEVER.has(entry.name) || !(isFolder || entry.isFile()) || ignored.leavesOut(file, isFolder)) continue;
    if (isFolder) yield* walk(file, await ignored.enter(file), signal);
    else yield file;
  }
}

/** Skips folders that cannot be read or no longer exist. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => compareNames(a.name, b.name));
  } catch {
    return [];
  }
}

/** Compares paths folder by folder, like a walk in order of names: files in `a` come before `a-b`. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split(path.sep), b.split(path.sep)];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const order = compareNames(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares bytes, independently of locale. */
function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The `.gitignore` files that apply in one folder, nearest first. */
class GitIgnore {
  private constructor(private readonly levels: readonly { folder: string; rules: Ignore }[]) {}

  /** Loads the rules that apply in `folder`: its own file and those of its parents, up to the root of the repository. */
  static async at(folder: string): Promise<GitIgnore> {
    const folders = [folder];
    while (!(await exists(path.join(folders[0] ?? folder, '.git')))) {
      const parent = path.dirname(folders[0] ?? folder);
      if (parent === folders[0]) break;
      folders.unshift(parent);
    }
    let found = new GitIgnore([]);
    for (const one of folders) found = await found.enter(one);
    return found;
  }

  /** Adds the file of a subfolder. A level that ignores the whole subfolder must have been overridden, so it is dropped. */
  async enter(folder: string): Promise<GitIgnore> {
    const levels = this.levels.filter((level) => !level.rules.ignores(relativeTo(level.folder, folder, true)));
    const rules = await rulesOf(folder);
    return new GitIgnore(rules ? [{ folder, rules }, ...levels] : levels);
  }

  /** Returns true if the nearest file with a matching rule ignores the path. */
  leavesOut(file: string, isFolder: boolean): boolean {
    for (const { folder, rules } of this.levels) {
      const { ignored, unignored } = rules.test(relativeTo(folder, file, isFolder));
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

function relativeTo(folder: string, file: string, isFolder: boolean): string {
  const relative = path.relative(folder, file).replaceAll(path.sep, '/');
  return isFolder ? `${relative}/` : relative;
}

async function rulesOf(folder: string): Promise<Ignore | null> {
  const file = path.join(folder, '.gitignore');
  // The file could be a named pipe, which never ends.
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  const text = isFile ? await readFile(file, 'utf8').catch(() => null) : null;
  if (text === null) return null;
  const { default: ignore } = await import('ignore');
  return ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
