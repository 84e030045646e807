/** The program that a script's first line names, with its arguments; undefined where it names none. */
export function shebangOf(text: string): readonly [program: string, ...args: string[]] | undefined {
  const [, line] = /^\uFEFF?#!([^\r\n]*)/.exec(text) ?? [];
  const [first, ...rest] = (line ?? '').split(/[ \t]+/).filter((word) => word !== '');
  if (first === undefined) return undefined;
  if (!/(^|[/\\])env$/.test(first)) return [first, ...rest];
  // `env -S` takes the words apart, which has happened; settings of variables stand before the program.
  const words = rest.filter((word) => word !== '-S' && word !== '--split-string');
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [program, ...args] = at === -1 ? [] : words.slice(at);
  return program === undefined || program.startsWith('-') ? undefined : [program, ...args];
}

/** `/usr/bin/python3.exe` is `python3`. */
export function programName(program: string): string {
  return program.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}
