/** What program text contains that writes, moves, or removes files, in the usual languages. */
export const WRITES_FILES =
  /write|touch|open\w*\s*\(.*['"](?=[rb]*[wax+])[rwabx+]+['"]|>|unlink|remove|rmtree|rename|mkdir|append|put_|truncate|copy|move|link|chdir|\bcp(sync)?\b/is;

/** An interpreter of a Windows line that is given its program text by an option. */
const GIVEN_TEXT =
  /(?:^|[\s\\/&|;({"'])(?:node|nodejs|python[\d.]*|py|pypy3?|perl|ruby|php|lua|deno|bun)(?:\.exe)?["']?\s(?:.*\s)?(?:-[a-z]*[cepr]|--eval|--print|eval)\s+["'](.*)$/is;
const OUTSIDE = /["'`]((?:\.\.|[a-z]:)?[\\/]+[^"'`\r\n]*)["'`]/gi;

/** Returns absolute paths, and those that lead out of the folder, in program text of a line for PowerShell or cmd that writes files. */
export function namedByProgram(line: string): readonly string[] {
  const [, text = ''] = GIVEN_TEXT.exec(line) ?? [];
  // What follows the text may be a redirection.
  if (!WRITES_FILES.test(text.replace(/["']\s*\d?>.*$/s, ''))) return [];
  return Array.from(text.matchAll(OUTSIDE), ([, path = '']) => path.replaceAll(/[\\/]+/g, '/'));
}
