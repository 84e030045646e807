import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

/** What lets a database run code of a library, in its own language or as one of its commands. */
const LOADS: Readonly<Record<string, RegExp>> = {
  sqlite3: /(?:^|\n)[^\S\n]*\.l(?:o(?:ad?)?)?\s+\S|load_extension\s*\(/i,
  duckdb: /(?:^|\n)[^\S\n]*\.l(?:o(?:ad?)?)?\s+\S|(?:^|;|\n)\s*(?:force\s+)?(?:install|load)\s+['"\w]|allow_unsigned/i,
};

const WHY = 'It loads a library, whose code would run.';

/** Returns why a command always asks if its text loads code into a database, as a sentence; null if it loads none. */
export function loadedLibrary([program, ...rest]: readonly ShellWord[], inputs: readonly ShellWord[]): string | null {
  const name = programName(program);
  const loads = Object.hasOwn(LOADS, name) ? LOADS[name] : undefined;
  // As a builtin of a shell, from a file.
  if (name === 'enable' && rest.some(({ text }) => /^-[a-z]*f/.test(text))) return WHY;
  if (name === 'zmodload' && rest.some(({ text }) => /^(?!-|zsh\/)./.test(text))) return WHY;
  const isUnsigned = name === 'duckdb' && rest.some(({ text }) => text === '-unsigned');
  return isUnsigned || (loads && [...rest, ...inputs].some(({ text }) => loads.test(withoutComments(text))))
    ? WHY
    : null;
}

function withoutComments(text: string): string {
  return text.replaceAll(/--[^\n]*|\/\*(?:(?!\/\*)[^])*?\*\//g, ' ');
}
