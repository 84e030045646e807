import { type Context, createContext, Script } from 'node:vm';
import { EngineError } from '../engine';
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
