/** What makes a shell line more than one plain command, or its words more than they look like. */
const SHELL_SYNTAX = /[&|;<>$`(){}[\]*?~#!"'\\\n\r^%]/;

/**
 * The words of a line that is one plain command, or undefined when it uses anything of the shell (operators,
 * substitution, redirection, quotes, globs). Only plain lines can be allowed by their first words.
 */
export function plainCommandWords(line: string): string[] | undefined {
  if (SHELL_SYNTAX.test(line)) return undefined;
  const words = line.trim().split(/\s+/);
  return words[0] ? words : undefined;
}
