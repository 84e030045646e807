/** The position in front matter that is being edited. */
export interface FrontMatterCursor {
  /** A key of the map at `where`, or the value at it; in a list, one of its values. */
  kind: 'key' | 'value';
  /** The keys and indexes that lead to the position. */
  where: (string | number)[];
  /** The column where the word being typed begins. */
  start: number;
  /** Whether a colon already follows the word. */
  hasColon: boolean;
  /** Keys that the map already has. */
  siblings: string[];
}

interface Line {
  indent: number;
  /** Whether the line begins a list entry. */
  isEntry: boolean;
  key: string | undefined;
}

const KEY_LINE = /^(\s*)((?:-\s+)*)(?:("[^"]*"|'[^']*'|[^\s:#"'-][^:#]*)\s*:(?=\s|$))?/;

/** In characters. A longer line is not one that someone is typing, and the expressions would take too long. */
const LONGEST_LINE = 500;

/**
 * Determines what is being typed at a position (0-based). Looks only at lines and indentation, because YAML is seldom valid while
 * being typed. Returns undefined outside front matter. `isYaml`: the whole file is YAML.
 */
export function frontMatterCursor(
  lines: readonly string[],
  { line, character }: { line: number; character: number },
  isYaml: boolean,
): FrontMatterCursor | undefined {
  const first = isYaml ? 0 : firstLine(lines, line);
  const text = lines[line] ?? '';
  const before = text.slice(0, character);
  if (first === undefined || text.length > LONGEST_LINE || /^\s*#|\s#\s/.test(before)) return undefined;
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

/** Returns the line after the opening dashes; undefined if the position is not inside the front matter. */
function firstLine(lines: readonly string[], line: number): number | undefined {
  if (!/^\uFEFF?---[ \t]*$/.test(lines[0] ?? '') || line < 1) return undefined;
  const isOver = lines.slice(1, line + 1).some((one) => /^---[ \t]*$/.test(one));
  return isOver ? undefined : 1;
}

/** The last item of an inline list; undefined inside text. */
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

/** The path to the map or list that contains a line beginning with `lead`. */
function pathTo(lines: readonly string[], first: number, line: number, lead: string): (string | number)[] {
  const path: (string | number)[] = [];
  let isEntry = lead.includes('-');
  let indent = isEntry ? lead.search(/\S/) : lead.length;
  if (isEntry) path.unshift(0);
  for (let index = line - 1; index >= first && (indent > 0 || isEntry); index--) {
    const above = readLine(lines[index] ?? '');
    if (!above) continue;
    const dash = (lines[index] ?? '').search(/\S/);
    // The list entry whose map contains the line.
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

/** The keys of the same map, above and below the line. */
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
