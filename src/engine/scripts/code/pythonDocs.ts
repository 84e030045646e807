/** The contents of a docstring. */
export interface Docs {
  /** Without the descriptions of parameters. */
  readonly description: string;
  readonly parameters: ReadonlyMap<string, ParameterDocs>;
}

export interface ParameterDocs {
  /** As written; undefined if absent. */
  readonly type: string | undefined;
  readonly text: string;
}

const SECTION = /^(\s*)(?:Args|Arguments|Parameters|Params)\s*:\s*$/;
// No two adjacent parts may match the same characters, or a line of spaces would take minutes to match.
const ENTRY = /^(\s*)\*{0,2}([A-Za-z_]\w*)\s*(?:\(([^)]*)\)\s*)?:\s?(.*)$/;
const FIELD = /^\s*:param\s([^:]*):\s?(.*)$/;
const OTHER_FIELD = /^\s*:(?:type|return|returns|rtype|raises?)\b/;

/**
 * Parses a docstring in Google style (`Args:`), even with empty lines in it, Sphinx style (`:param name:`), or NumPy style
 * (`Parameters` underlined with hyphens).
 */
export function pythonDocs(docstring: string): Docs {
  const description: string[] = [];
  const parameters = new Map<string, { type: string | undefined; lines: string[] }>();
  let section: { indent: number; entries: number | undefined } | undefined;
  let open: { lines: string[] } | undefined;
  const begin = (name: string, type: string | undefined, text: string) => {
    open = { lines: [text] };
    parameters.set(name, { type: writtenType(type), lines: open.lines });
    return open;
  };
  for (const line of withoutUnderlined(dedented(docstring), begin)) {
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
    const field = fieldOf(line);
    if (field) begin(field.name, field.type, field.text);
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

type Begin = (name: string, type: string | undefined, text: string) => { lines: string[] };

const UNDERLINED = /^\s*(?:Other )?Parameters$/;
const UNDERLINE = /^\s*-{3,}$/;

/** Removes the parameters' sections in NumPy style, and passes their entries to `begin`. */
function withoutUnderlined(lines: readonly string[], begin: Begin): string[] {
  const rest: string[] = [];
  const isTitle = (at: number) => lines[at] !== '' && UNDERLINE.test(lines[at + 1] ?? '');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!UNDERLINED.test(line) || !isTitle(at)) {
      rest.push(line);
      continue;
    }
    const indent = line.search(/\S/);
    let open: { lines: string[] }[] = [];
    for (at++; at + 1 < lines.length && !isTitle(at + 1); at++) {
      const next = lines[at + 1] ?? '';
      const isText = next === '' || next.search(/\S/) > indent;
      const entries = isText ? [] : underlinedEntries(next);
      if (isText) for (const one of open) one.lines.push(next.trim());
      else if (entries.length === 0) break;
      else open = entries.map(({ name, type }) => begin(name, type, ''));
    }
  }
  return rest;
}

/** Parses `x, y : int, optional`. */
function underlinedEntries(line: string): { name: string; type: string | undefined }[] {
  const colon = line.indexOf(':');
  const names = (colon === -1 ? line : line.slice(0, colon)).split(',').map((one) => one.trim().replace(/^\*+/, ''));
  if (!names.every((one) => /^[A-Za-z_]\w*$/.test(one))) return [];
  return names.map((name) => ({ name, type: colon === -1 ? undefined : line.slice(colon + 1) }));
}

/** Parses `:param int count: How many`. */
function fieldOf(line: string): { name: string; type: string | undefined; text: string } | undefined {
  const [, head = '', text = ''] = FIELD.exec(line) ?? [];
  const words = head.trim();
  const at = words.lastIndexOf(' ');
  const [, name] = /^\*{0,2}([A-Za-z_]\w*)$/.exec(words.slice(at + 1)) ?? [];
  return name === undefined ? undefined : { name, type: at === -1 ? undefined : words.slice(0, at), text };
}

/** Returns `int` for `int, optional`. */
function writtenType(type = ''): string | undefined {
  const whole = type.trim();
  const bare = whole.endsWith('optional') ? whole.slice(0, -'optional'.length).trimEnd().replace(/,$/, '') : whole;
  return bare.trimEnd() || undefined;
}

/** Removes the common indentation, ignoring the first line, which follows the opening quotes. */
function dedented(text: string): string[] {
  const [first = '', ...rest] = text.replaceAll('\t', '        ').split(/\r?\n/);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const least = indents.reduce((one, other) => Math.min(one, other), Infinity);
  return [first.trim(), ...rest.map((line) => line.slice(least).trimEnd())];
}
