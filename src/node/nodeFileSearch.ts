import { stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { throwIfAborted } from '../base/abort';
import { EngineError, type FileQuery, type FileSearch, type GrepMatch } from '../engine';
import { comparePaths } from './comparePaths';
import { fileError } from './fileError';
import { findRipgrep } from './ripgrep/findRipgrep';
import { type LinePattern, matchingLines, parseLinePattern } from './lineMatcher';
import { ripgrepPaths, type RipgrepTask } from './ripgrep/ripgrepPaths';
import { ripgrepPattern } from './ripgrep/ripgrepPattern';
import { searchedLines } from './searchedLines';
import { walkFiles } from './walkFiles';

/** Characters of a matching line that are kept. */
const MAX_LINE = 2000;

export interface FileSearchOptions {
  /** Absolute paths where a ripgrep may lie; the PATH of `env` comes after them. */
  ripgrepCandidates: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Files below a folder in the order of `comparePaths`; those that match a task, when there is one and a way to tell. */
type FilesBelow = (root: string, task: RipgrepTask | null, signal: AbortSignal) => AsyncGenerator<string>;

/**
 * Search with ripgrep to find the files where there is one, and by walking where there is none; with the same results.
 * Hidden files are searched; binary files and those over 10 MB are not. The root of a `grep` may also be one file.
 */
export function nodeFileSearch({ ripgrepCandidates, env }: FileSearchOptions): FileSearch {
  let ripgrep: Promise<string | null> | undefined;

  async function withRipgrep(root: string, task: RipgrepTask, signal: AbortSignal): Promise<string[] | null> {
    ripgrep ??= findRipgrep(ripgrepCandidates, env);
    const program = await ripgrep;
    return program === null ? null : ripgrepPaths(program, root, task, signal);
  }

  async function* filesBelow(root: string, task: RipgrepTask | null, signal: AbortSignal): AsyncGenerator<string> {
    const found = task && (await withRipgrep(root, task, signal));
    if (found) yield* found.sort(comparePaths);
    else yield* walkFiles(root, signal);
  }

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
  const included = globFilter(root, include);
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
  { root, include, limit, pattern }: FileQuery & { pattern: string },
  signal: AbortSignal,
): Promise<{ matches: GrepMatch[]; complete: boolean }> {
  throwIfAborted(signal);
  const wanted = parseLinePattern(pattern);
  const isFile = (await kindOf(root)) === 'file';
  const included = include === undefined ? () => true : globFilter(isFile ? path.dirname(root) : root, include);
  const matches: GrepMatch[] = [];
  for await (const file of isFile ? [root] : filesBelow(root, taskFor(wanted), signal)) {
    throwIfAborted(signal);
    const lines = included(file) ? await searchedLines(file) : null;
    if (!lines) continue;
    for (const at of matchingLines(wanted, lines, limit - matches.length + 1)) {
      if (matches.length === limit) return { matches, complete: false };
      matches.push({ path: file, line: at + 1, text: (lines[at] ?? '').slice(0, MAX_LINE) });
    }
  }
  return { matches, complete: true };
}

function taskFor({ source, ignoreCase }: LinePattern): RipgrepTask | null {
  const pattern = ripgrepPattern(source);
  return pattern === null ? null : { kind: 'matching', pattern, ignoreCase };
}

async function kindOf(root: string): Promise<'file' | 'directory'> {
  try {
    return (await stat(root)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    throw fileError(error, root);
  }
}

function globFilter(root: string, include: string): (file: string) => boolean {
  try {
    const matches = picomatch(include, { dot: true, nonegate: true });
    return (file) => matches(path.relative(root, file).replaceAll(path.sep, '/'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError('invalid-input', `${include} is not a glob: ${why}`, { cause: error });
  }
}
