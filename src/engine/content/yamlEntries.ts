import { isRecord } from '../../base/isRecord';
import { readYaml, type Position, type YamlSource } from './yamlSource';

/** Some of the entries below a key, read by themselves. */
interface Part {
  readonly text: string;
  readonly source: YamlSource;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** A part and the number of lines of the file before it. */
interface PlacedPart {
  readonly part: Part;
  readonly before: number;
}

/** The parts of each file that was read in parts, by their text. */
const partsOf = new WeakMap<YamlSource, ReadonlyMap<string, Part>>();

/** Below this number of entries, the file is read as a whole fast enough. */
const FEWEST = 50;

/**
 * Reads YAML with many entries below a top-level `key`, as `readYaml` does, but reads only those again that have changed since
 * `earlier`. Returns undefined if the text has anything that could be read differently as a whole: problems, aliases, several
 * documents, or an unusual layout.
 */
export function readEntries(
  text: string,
  { path, key, earlier }: { path: string; key: string; earlier: YamlSource | undefined },
): YamlSource | undefined {
  const cut = cutApart(text.replace(/\r\n?/g, '\n'), key);
  if (!cut) return undefined;
  const around = readYaml(cut.around, { path });
  if (!isMap(around.data) || around.problems.length > 0) return undefined;
  const known = earlier && partsOf.get(earlier);
  const parts = new Map<string, Part>();
  const places = new Map<string, PlacedPart>();
  const all: Record<string, unknown> = {};
  for (const { text: one, before } of cut.parts) {
    const part = known?.get(one) ?? readPart(one, path);
    if (!part) return undefined;
    parts.set(one, part);
    for (const [name, value] of Object.entries(part.entries)) {
      if (places.has(name)) return undefined;
      places.set(name, { part, before });
      all[name] = value;
    }
  }
  const source = joined(around, key, { entries: all, places, first: cut.first });
  partsOf.set(source, parts);
  return source;
}

function readPart(text: string, path: string): Part | undefined {
  const source = readYaml(text, { path });
  const { data, problems } = source;
  if (!isMap(data) || problems.length > 0) return undefined;
  return { text, source, entries: data };
}

/** Excludes a map with this key, which an assignment would lose. */
function isMap(data: unknown): data is Readonly<Record<string, unknown>> {
  return isRecord(data) && !Array.isArray(data) && !Object.hasOwn(data, '__proto__');
}

interface Entries {
  readonly entries: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, PlacedPart>;
  /** Where the first one is. */
  readonly first: Position;
}

function joined(around: YamlSource, key: string, { entries, places, first }: Entries): YamlSource {
  const placeOf = (where: readonly PropertyKey[]) => (where.length > 1 ? places.get(String(where[1])) : undefined);
  const isInside = (where: readonly PropertyKey[]) => String(where[0]) === key;
  return {
    path: around.path,
    data: Object.assign({}, around.data, { [key]: entries }),
    problems: [],
    position: (where, part = 'value', words) => {
      if (!isInside(where) || (where.length === 1 && part === 'key')) return around.position(where, part, words);
      const at = placeOf(where);
      return at ? lower(at.part.source.position(where.slice(1), part, words), at.before) : first;
    },
    wordAt: (where, part) => {
      if (!isInside(where) || (where.length === 1 && part === 'key')) return around.wordAt?.(where, part);
      const at = placeOf(where);
      const word = at?.part.source.wordAt?.(where.slice(1), part);
      return at && word && { start: lower(word.start, at.before), end: lower(word.end, at.before) };
    },
  };
}

function lower({ line, column }: Position, by: number): Position {
  return { line: line + by, column };
}

interface CutText {
  /** The text with an empty line in place of each line of the parts. */
  readonly around: string;
  readonly parts: readonly { readonly text: string; readonly before: number }[];
  readonly first: Position;
}

/** Several documents, directives, tabs as indentation, aliases, which may refer to another part, and merge keys. */
const AS_A_WHOLE = /^(?:---|\.\.\.|%|\ufeff| *\t)|(?:^|[\s,[{])(?:\*(?![\s*])|(["']?)<<\1\s*:)|&\*/m;

function cutApart(text: string, key: string): CutText | undefined {
  if (AS_A_WHOLE.test(text)) return undefined;
  const lines = text.split('\n');
  const heads = [...lines.keys()].filter((at) => new RegExp(`^${key}:[ \\t]*(?:#.*)?$`).test(lines[at] ?? ''));
  const [head] = heads;
  if (head === undefined || heads.length > 1) return undefined;
  const found = entriesAfter(lines, head + 1);
  if (!found || found.starts.length < FEWEST) return undefined;
  const { starts, indent, end } = found;
  const cuts = starts.filter((start, at) => at === 0 || isCut(lines[start] ?? ''));
  const parts = cuts.map((start, at) => {
    const next = cuts[at + 1] ?? end;
    // The line break after the last line of the file is a line of its own here.
    return { text: `${lines.slice(start, next).join('\n')}${next < lines.length ? '\n' : ''}`, before: start };
  });
  const around = [...lines.slice(0, starts[0]), ...lines.slice(starts[0], end).map(() => ''), ...lines.slice(end)];
  return { around: around.join('\n'), parts, first: { line: (starts[0] ?? 0) + 1, column: indent + 1 } };
}

/** Returns the lines on which entries start, and the one after the last; undefined if their indentation differs. */
function entriesAfter(
  lines: readonly string[],
  from: number,
): { starts: readonly number[]; indent: number; end: number } | undefined {
  const starts: number[] = [];
  let indent = 0;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const own = line.search(/[^ ]/);
    if (own === -1 || line[own] === '#') continue;
    if (indent === 0) indent = own;
    if (own === 0) return indent === 0 ? undefined : { starts, indent, end: at };
    if (own < indent) return undefined;
    if (own === indent && !/[}\]]/.test(line[own] ?? '')) starts.push(at);
  }
  return { starts, indent, end: lines.length };
}

/** One entry in about 16 starts a part. That depends on its name alone, so that an added entry leaves other parts as they are. */
function isCut(line: string): boolean {
  let hash = 0;
  for (let at = 0; at < line.length && line[at] !== ':'; at++) hash = (hash * 31 + line.charCodeAt(at)) | 0;
  return (hash & 15) === 0;
}
