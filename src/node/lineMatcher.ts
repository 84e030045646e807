import { type Context, createContext, Script } from 'node:vm';
import { EngineError } from '../engine';
import { errorCode } from './fileError';

/** How long one file may take; only patterns that go back and forth over the same text come near it. */
const FILE_MS = 2000;

/** What a line has to match. `source` is JavaScript's; `(?i)` in front of it has become `ignoreCase`. */
export interface LinePattern {
  source: string;
  ignoreCase: boolean;
}

/** Rejects as `invalid-input` what is no regular expression. */
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

/** Numbers, from 0, of the first `limit` lines that match. */
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

/** Made once, because that takes longer than to search a file. */
let stoppable: { world: { scan: () => void }; context: Context; script: Script } | undefined;

/** False when it was stopped. */
function inTime(scan: () => void): boolean {
  if (!stoppable) {
    const world = { scan };
    stoppable = { world, context: createContext(world), script: new Script('scan()') };
  }
  stoppable.world.scan = scan;
  try {
    // The only way to stop a regular expression that has run wild.
    stoppable.script.runInContext(stoppable.context, { timeout: FILE_MS });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
