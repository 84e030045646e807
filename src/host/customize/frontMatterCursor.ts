/** Where in front matter one is writing. */
export interface FrontMatterCursor {
  /** A key of the map at `where`, or the value at it; of a list, one of its values. */
  kind: 'key' | 'value';
  /** The keys and indexes that lead there. */
  where: (string | number)[];
  /** The column in which the word begins that is being written. */
  start: number;
  /** Whether a colon stands behind the word already. */
  hasColon: boolean;
  /** Keys that the map has already. */
  siblings: string[];
}

interface Line {
  indent: number;
  /** Begins an entry of a list. */
  isEntry: boolean;
  key: string | undefined;
}

const KEY_LINE = /^(\s*)((?:-\s+)*)(?:("[^"]*"|'[^']*'|[^\s:#"'-][^:#]*)\s*:(?=\s|$))?/;

/**
 * What is written at a place of a file, from 0. Looks at lines and indents alone, because what is being written is seldom
 * valid YAML. Undefined outside of front matter; `isYaml` of a file that is all YAML.
 */
export function frontMatterCursor(
  lines: readonly string[],
  { line, character }: { line: number; character: number },
  isYaml: boolean,
): FrontMatterCursor | undefined {
  const first = isYaml ? 0 : firstLine(lines, line);
  const text = lines[line] ?? '';
  const before = text.slice(0, character);
  if (first === undefined || /^\s*#|\s#\s/.test(before)) return undefined;
  const hasColon = /^[\w.*-]*\s*:/.test(text.slice(character));
  const value = /^(\s*(?:-\s+)*)("[^"]*"|'[^']*'|[^\s:#"'-][^:#]*)\s*:\s+(.*)$/.exec(before);
  if (value) {
    const [, lead = '', key = '', written = ''] = value;
    const word = lastWord(written);
    if (word === undefined) return undefined;
    const where = [...pathTo(lines, first, line, lead), plainKey(key)];
    return { kind: 'value', where, start: character - word.length, hasColon: false, siblings: [] };
  }
  const fresh = /^(\s*(?:-\s+)*)([\w.*-]*)$/.exec(before);
  if (!fresh) return undefined;
  const [, lead = '', word = ''] = fresh;
  const where = pathTo(lines, first, line, lead);
  const siblings = siblingsOf(lines, first, line, lead.length);
  return { kind: lead.includes('-') ? 'value' : 'key', where, start: character - word.length, hasColon, siblings };
}

/** The line after the opening dashes; undefined where the place is not between the dashes. */
function firstLine(lines: readonly string[], line: number): number | undefined {
  if (!/^\uFEFF?---[ \t]*$/.test(lines[0] ?? '') || line < 1) return undefined;
  const isOver = lines.slice(1, line + 1).some((one) => /^---[ \t]*$/.test(one));
  return isOver ? undefined : 1;
}

/** The last of several in a list on one line; undefined inside of text. */
function lastWord(written: string): string | undefined {
  const inList = /^\[(?:.*,)?\s*(["']?[^,\]"']*)$/.exec(written) ?? /^(?:.*,\s*)?([^\s,[\]{}|>&"']*)$/.exec(written);
  return inList?.[1];
}

function readLine(text: string): Line | undefined {
  if (/^\s*(?:#|$)/.test(text)) return undefined;
  const [, indent = '', dashes = '', key] = KEY_LINE.exec(text) ?? [];
  return {
    indent: indent.length + dashes.length,
    isEntry: dashes !== '',
    key: key === undefined ? undefined : plainKey(key),
  };
}

function plainKey(key: string): string {
  return key.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** The path to the map or list in which a line stands that begins with `lead`. */
function pathTo(lines: readonly string[], first: number, line: number, lead: string): (string | number)[] {
  const path: (string | number)[] = [];
  let isEntry = lead.includes('-');
  let indent = isEntry ? lead.search(/\S/) : lead.length;
  if (isEntry) path.unshift(0);
  for (let index = line - 1; index >= first && (indent > 0 || isEntry); index--) {
    const above = readLine(lines[index] ?? '');
    if (!above) continue;
    const dash = (lines[index] ?? '').search(/\S/);
    // The entry of a list in whose map the line stands.
    if (!isEntry && above.isEntry && above.indent === indent) {
      path.unshift(0);
      isEntry = true;
      indent = dash;
      continue;
    }
    const isParent =
      above.key !== undefined && (above.indent < indent || (isEntry && above.indent === indent && !above.isEntry));
    if (!isParent || above.key === undefined) continue;
    path.unshift(above.key);
    isEntry = above.isEntry;
    indent = isEntry ? dash : above.indent;
    if (isEntry) path.unshift(0);
  }
  return path;
}

/** The keys of the same map, above and below. */
function siblingsOf(lines: readonly string[], first: number, line: number, indent: number): string[] {
  const keys: string[] = [];
  for (const step of [-1, 1]) {
    for (let index = line + step; index >= first && index < lines.length; index += step) {
      const text = lines[index] ?? '';
      if (/^---[ \t]*$/.test(text)) break;
      const other = readLine(text);
      if (!other) continue;
      if (other.indent < indent) break;
      if (other.indent === indent && other.key !== undefined) keys.push(other.key);
      if (other.indent === indent && other.isEntry) break;
    }
  }
  return keys;
}
