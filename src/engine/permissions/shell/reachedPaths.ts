import type { ShellWord } from './shellPart';

/** The separators between the names in a text. */
const BETWEEN = /[=:,'"()\s;<>|&{}[\]`@\\]+/;
const NAME = /^[\w.+-][\w./+-]*$/;
const MOST_NAMES = 60;
const MAX_NAME = 300;

/**
 * Returns the relative paths that the words of a command may contain, wherever in them: after `-o`, `--into=` and `@`, or in the
 * text of a script. Excludes paths that lead out of the folder by their form.
 */
export function reachedPaths(words: readonly ShellWord[]): readonly string[] {
  const names = words.flatMap(({ text }) => [...text.split(BETWEEN), ...glued(text)]);
  const paths = names.filter((name) => name.length <= MAX_NAME && NAME.test(name) && !/(^|\/)\.\.(\/|$)/.test(name));
  return [...new Set(paths)].filter((name) => !name.startsWith('-')).slice(0, MOST_NAMES);
}

/** A path may directly follow the letters of options: `-og/config`, `-o.npmrc`. */
function glued(text: string): readonly string[] {
  const [, dotted] = /^-[a-zA-Z]+(\..*)$/s.exec(text) ?? [];
  if (dotted !== undefined) return [dotted];
  const [, letters = ''] = /^-([a-zA-Z]+)\//.exec(text) ?? [];
  return Array.from(letters.slice(0, 4), (_, at) => text.slice(at + 2)).filter((path) => !path.startsWith('/'));
}
