import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type Context, createContext, Script } from 'node:vm';
import { decodeText, EngineError } from '../engine';
import { errorCode } from './fileError';

/** Time limit per file. Only patterns with excessive backtracking reach it. */
const FILE_MS = 2000;

/** The pattern that lines must match. `source` is a JavaScript expression; a leading `(?i)` has become `ignoreCase`. */
export interface LinePattern {
  source: string;
  ignoreCase: boolean;
}

/** Parses a pattern. Throws EngineError `invalid-input` if it is not a regular expression. */
export function parseLinePattern(pattern: string): LinePattern {
  const ignoreCase = pattern.startsWith('(?i)');
  const source = ignoreCase ? pattern.slice('(?i)'.length) : pattern;
  try {
    new RegExp(source);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError(
      'invalid-input',
      `${why}. To search for one of \\ ^ $ . | ? * + ( ) [ ] { } itself, put a backslash before it.`,
      { cause: error },
    );
  }
  return { source, ignoreCase };
}

/** Returns the 0-based numbers of the first `limit` matching lines. */
export function matchingLines(pattern: LinePattern, lines: readonly string[], limit: number): number[] {
  const expression = new RegExp(pattern.source, pattern.ignoreCase ? 'i' : '');
  const found: number[] = [];
  const scan = () => {
    for (let at = 0; at < lines.length && found.length < limit; at++)
      if (expression.test(lines[at] ?? '')) found.push(at);
  };
  if (!inTime(scan)) {
    throw new EngineError('invalid-input', `/${pattern.source}/ takes too long to match. Make it simpler.`);
  }
  return found;
}

/** Created once, because that takes longer than searching a file. */
let stoppable: { world: { scan: () => void }; context: Context; script: Script } | undefined;

/** Returns false if the scan timed out. */
function inTime(scan: () => void): boolean {
  if (!stoppable) {
    const world = { scan };
    stoppable = { world, context: createContext(world), script: new Script('scan()') };
  }
  stoppable.world.scan = scan;
  try {
    // The only way to stop a runaway regular expression.
    stoppable.script.runInContext(stoppable.context, { timeout: FILE_MS });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

/** Larger files are not searched. */
export const MAX_SEARCHED_BYTES = 10_000_000;
/** Reading a file of this size synchronously is faster than a round trip to the thread pool. */
const AT_ONCE_BYTES = 64 * 1024;

/** Reads the lines of a text file; null for binary, oversized, and unreadable files. */
export async function searchedLines(file: string): Promise<string[] | null> {
  return linesOf(await bytesOf(file));
}

/** Does the same synchronously for a small file; undefined for a larger one. */
export function searchedLinesAtOnce(file: string): string[] | null | undefined {
  try {
    const stat = statSync(file);
    // A pipe, device or socket may never end.
    if (!stat.isFile()) return null;
    if (stat.size > AT_ONCE_BYTES) return undefined;
    return linesOf(readFileSync(file));
  } catch {
    return null;
  }
}

function linesOf(bytes: Buffer | null): string[] | null {
  if (!bytes) return null;
  // Decoded as the tools that read files do, so that whatever they show can be found.
  const text = decodeText(bytes)?.text;
  if (text === undefined) return null;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= MAX_SEARCHED_BYTES ? await readFile(file) : null;
  } catch {
    return null;
  }
}
