const LINE = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=(.*)$/;
const QUOTED = /^[ \t]*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Parses `KEY=value` lines, with the usual comments, quotes and `export`. Ignores any other line. */
export function readDotEnv(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const [, name, rest] = LINE.exec(line) ?? [];
    if (name !== undefined && rest !== undefined) values.set(name, valueOf(rest));
  }
  return values;
}

function valueOf(rest: string): string {
  const [, quote, inside] = QUOTED.exec(rest) ?? [];
  if (inside === undefined) return rest.replace(/(^|[ \t])#[^]*$/, '').trim();
  if (quote !== '"') return inside;
  return inside.replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);
}
