/** What a docstring says. */
export interface Docs {
  /** Without what it says of each parameter. */
  readonly description: string;
  readonly parameters: ReadonlyMap<string, ParameterDocs>;
}

export interface ParameterDocs {
  /** As it is written; undefined where it is not. */
  readonly type: string | undefined;
  readonly text: string;
}

const SECTION = /^(\s*)(?:Args|Arguments|Parameters|Params)\s*:\s*$/;
const ENTRY = /^(\s*)\*{0,2}([A-Za-z_]\w*)\s*(?:\(([^)]*)\))?\s*:\s?(.*)$/;
const FIELD = /^\s*:param\s+(?:([^:]*?)\s+)?\*{0,2}([A-Za-z_]\w*)\s*:\s?(.*)$/;
const OTHER_FIELD = /^\s*:(?:type|return|returns|rtype|raises?)\b/;

/** A docstring in the way of Google (`Args:`), also with empty lines in it, or of Sphinx (`:param name:`). */
export function pythonDocs(docstring: string): Docs {
  const description: string[] = [];
  const parameters = new Map<string, { type: string | undefined; lines: string[] }>();
  let section: { indent: number; entries: number | undefined } | undefined;
  let open: { lines: string[] } | undefined;
  const begin = (name: string, type: string | undefined, text: string) => {
    open = { lines: [text] };
    parameters.set(name, { type: type?.replace(/,?\s*optional\s*$/, '').trim() || undefined, lines: open.lines });
  };
  for (const line of dedented(docstring)) {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    const isEmpty = line.trim() === '';
    const [, before] = SECTION.exec(line) ?? [];
    if (before !== undefined) {
      section = { indent: before.length, entries: undefined };
      open = undefined;
      continue;
    }
    if (section && !isEmpty && indent <= section.indent) section = undefined;
    if (section) {
      const [, , name, type, text = ''] = ENTRY.exec(line) ?? [];
      const isEntry = name !== undefined && indent <= (section.entries ?? indent);
      if (isEntry) {
        section.entries = indent;
        begin(name, type, text);
      } else open?.lines.push(line.trim());
      continue;
    }
    const [, type, name, text = ''] = FIELD.exec(line) ?? [];
    if (name !== undefined) begin(name, type, text);
    else if (open && indent > 0 && !isEmpty) open.lines.push(line.trim());
    else {
      open = undefined;
      if (!OTHER_FIELD.test(line)) description.push(line);
    }
  }
  return {
    description: description.join('\n').trim(),
    parameters: new Map(
      [...parameters].map(([name, { type, lines }]) => [name, { type, text: lines.join('\n').trim() }]),
    ),
  };
}

/** The first line stands where its quotes do. */
function dedented(text: string): string[] {
  const [first = '', ...rest] = text.replaceAll('\t', '        ').split(/\r?\n/);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const least = indents.reduce((one, other) => Math.min(one, other), Infinity);
  return [first.trim(), ...rest.map((line) => line.slice(least).trimEnd())];
}
