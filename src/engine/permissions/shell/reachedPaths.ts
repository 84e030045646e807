import type { ShellWord } from './shellPart';

/** What stands between the names in a text. */
const BETWEEN = /[=:,'"()\s;<>|&{}[\]`@\\]+/;
const NAME = /^[\w.+-][\w./+-]*$/;
const MOST_NAMES = 60;
const MAX_NAME = 300;

/**
 * What the words of a command may name by a path from where it is run, wherever in them it stands: behind `-o`, `--into=` and `@`,
 * or in the text of a script. What leads out of the folder by its form is not among it.
 */
export function reachedPaths(words: readonly ShellWord[]): readonly string[] {
  const names = words.flatMap(({ text }) => [...text.split(BETWEEN), ...glued(text)]);
  const paths = names.filter((name) => name.length <= MAX_NAME && NAME.test(name) && !/(^|\/)\.\.(\/|$)/.test(name));
  return [...new Set(paths)].filter((name) => !name.startsWith('-')).slice(0, MOST_NAMES);
}

/** A path may stand right behind the letters of options: `-og/config`, `-o.npmrc`. */
function glued(text: string): readonly string[] {
  const [, dotted] = /^-[a-zA-Z]+(\..*)$/s.exec(text) ?? [];
  if (dotted !== undefined) return [dotted];
  const [, letters = ''] = /^-([a-zA-Z]+)\//.exec(text) ?? [];
  return Array.from(letters.slice(0, 4), (_, at) => text.slice(at + 2)).filter((path) => !path.startsWith('/'));
}
