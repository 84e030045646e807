import type { Document, LineCounter, Pair, YAMLMap } from 'yaml';
import KNOWN from '../../../assets/known.frontMatter';
import type { ContentProblem } from './contentProblem';
import type * as yamlLibrary from './yamlLibrary';

const PLAIN_ENTRY = /^([A-Za-z_][\w.-]*[ \t]*:[ \t]+)(\S[^\n]*)$/;
/** How a value begins that is not plain: quoted, block, flow, alias, anchor, tag, comment. */
const NOT_PLAIN = /^["'|>[{&*!#%@`]/;

const HAS_COLON = /:(?=[ \t]|$)/;

type YamlLibrary = typeof yamlLibrary;
let library: YamlLibrary | undefined;

/**
 * Loads the library; to be awaited before `readYaml`. It is not loaded for the front matter of what comes with Cairn, which
 * the build has read: that is all there is to read on most starts.
 */
export async function yamlReady(text: string): Promise<void> {
  if (!isKnown(text)) library ??= await import('./yamlLibrary');
}

const isKnown = (text: string) => Object.hasOwn(KNOWN, text);

function yaml(): YamlLibrary {
  if (!library) throw new Error('YAML was read before yamlReady() was awaited.');
  return library;
}

export interface Position {
  /** From 1, in the file. */
  line: number;
  column: number;
}

/** YAML with the places of its values, so that what is wrong with a value can be shown where it stands. */
export interface YamlSource {
  /** The path of its file, for problems. */
  path: string;
  /** Plain data; undefined when it does not parse. */
  data: unknown;
  /** Of kind `parse`; what is only told is a warning. */
  problems: ContentProblem[];
  /**
   * Where a value begins, or with `key` its key; of something that is missing, where its nearest parent begins. `words`: where
   * they stand in the value, if they are written there as they are.
   */
  position(where: readonly PropertyKey[], part?: 'key' | 'value', words?: string): Position;
  /** Where the text of a value stands, or of its key, without quotes; undefined where it is no text on one line. */
  wordAt?(where: readonly PropertyKey[], part: 'key' | 'value'): WordPlace | undefined;
}

/** From its first character to behind its last one. */
export interface WordPlace {
  start: Position;
  end: Position;
}

export interface ReadYamlOptions {
  path: string;
  /** The line of the file in which the text begins. Default: the first. */
  firstLine?: number;
  /** Whether plain values with colons are read as text. */
  lenient?: boolean;
  /** Of a file for another tool the keys that it may have: what is no YAML is read entry by entry, and told as a warning. */
  mendBy?: readonly string[] | undefined;
}

/** What does not parse is a problem. */
export function readYaml(text: string, { path, firstLine = 1, lenient = false, mendBy }: ReadYamlOptions): YamlSource {
  if (!library && isKnown(text)) {
    return { path, data: KNOWN[text], problems: [], position: () => ({ line: firstLine, column: 1 }) };
  }
  const plain = text.replace(/\r\n?/g, '\n');
  const parsed = parse(plain, lenient, mendBy);
  if (typeof parsed === 'string') return unread(path, firstLine, parsed);
  const { document, lines, mended = [] } = parsed;
  const placed = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) };
  };
  const problem = (offset: number, message: string): ContentProblem => ({
    kind: 'parse',
    severity: 'error',
    path,
    ...placed(offset),
    message: `${sentence(message)} Correct the YAML here.`,
  });
  const problems = document.errors.map((error): ContentProblem => {
    const told = problem(error.pos[0], error.message);
    return isHarmless(error, plain, mendBy) ? { ...told, severity: 'warning', message: TWICE } : told;
  });
  const readAsText = mended.map((line): ContentProblem => ({
    kind: 'parse',
    severity: 'warning',
    path,
    line: line + firstLine - 1,
    column: 1,
    message: READ_AS_TEXT,
  }));
  const data = problems.some(({ severity }) => severity === 'error')
    ? undefined
    : plainData(document, (message) => problems.push(problem(0, message)));
  const position: YamlSource['position'] = (where, part = 'value', words) => {
    const { start, end } = spanOf(document, where, part);
    const inside = words === undefined ? -1 : plain.slice(start, end).indexOf(words);
    return placed(start + Math.max(0, inside));
  };
  const wordAt: YamlSource['wordAt'] = (where, part) => {
    const span = wordSpan(document, where, part, plain);
    return span && { start: placed(span.start), end: placed(span.end) };
  };
  return { path, data, problems: [...problems, ...readAsText], position, wordAt };
}

/** What is too much for the parser. */
function unread(path: string, line: number, why: string): YamlSource {
  const position = () => ({ line, column: 1 });
  const message = `${sentence(why)} Correct the YAML here.`;
  return {
    path,
    data: undefined,
    position,
    problems: [{ kind: 'parse', severity: 'error', path, ...position(), message }],
  };
}

/** A key that means nothing here may stand there twice; of one that does nobody knows what counts. */
function isHarmless(
  { code, pos: [at] }: Document['errors'][number],
  text: string,
  known: readonly string[] | undefined,
): boolean {
  if (known === undefined || code !== 'DUPLICATE_KEY' || (at > 0 && text[at - 1] !== '\n')) return false;
  const [key] = /^[\w.-]+(?=[ \t]*:)/.exec(text.slice(at, at + 100)) ?? [];
  return key !== undefined && !known.includes(key);
}

const TWICE = 'This key is duplicated; the last value is used.';
const READ_AS_TEXT = 'This is not valid YAML and was read as text. Put the value in quotes.';

interface Parsed {
  document: Document;
  lines: LineCounter;
  /** Lines of what is read as text, though it is no YAML. */
  mended?: readonly number[];
}

/** With `lenient` the reading that has fewer errors. A sentence when it is too much for the parser, such as too deep. */
function parse(text: string, lenient: boolean, mendBy: readonly string[] | undefined): Parsed | string {
  const library = yaml();
  try {
    const strict = parseLines(text, library);
    const isSound = strict.document.errors.every((error) => isHarmless(error, text, mendBy));
    if (isSound || !lenient) return strict;
    const quoted = parseLines(quoteColonValues(text), library);
    if (quoted.document.errors.length > 0 && mendBy) {
      const parses = (entry: string) => parseLines(entry, library).document.errors.length === 0;
      const mended = library.mendEntries(text, mendBy, parses);
      const read = mended && parseLines(mended.text, library);
      if (read?.document.errors.length === 0) return { ...read, mended: mended?.lines ?? [] };
    }
    return quoted.document.errors.length < strict.document.errors.length ? quoted : strict;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parseLines(text: string, { LineCounter, parseDocument }: YamlLibrary): Parsed {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }), lines };
}

function plainData(document: Document, onFailure: (message: string) => void): unknown {
  try {
    const data: unknown = document.toJS({ maxAliasCount: -1 });
    if (holdsAtMost(data, MOST_VALUES)) return data;
    onFailure(`The aliases here stand for more than ${MOST_VALUES.toLocaleString('en')} values. Write fewer of them.`);
    return undefined;
  } catch (error) {
    // Aliases that name nothing, or what they stand in.
    onFailure(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** More than a file has that is short enough to be read; aliases may multiply what stands in it without end. */
const MOST_VALUES = 1_000_000;

/** Counts what several aliases stand for as often as they do, as whoever walks the data does. */
function holdsAtMost(data: unknown, most: number): boolean {
  const waiting = [data];
  for (let count = 0; waiting.length > 0; count++) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (count + waiting.length + inner.length > most) return false;
    for (const one of inner) waiting.push(one);
  }
  return true;
}

/** Offsets in the text. */
interface Span {
  start: number;
  end: number;
}

function spanOf(document: Document, where: readonly PropertyKey[], part: 'key' | 'value'): Span {
  let node: unknown = document.contents;
  let span = rangeOf(node) ?? { start: 0, end: 0 };
  for (const [index, step] of where.entries()) {
    const isLast = index === where.length - 1;
    const next = stepInto(node, step);
    if (!next) break;
    const key = rangeOf(next.key);
    span = (isLast && part === 'key' ? key : undefined) ?? rangeOf(next.value) ?? key ?? span;
    node = next.value;
  }
  return span;
}

function wordSpan(
  document: Document,
  where: readonly PropertyKey[],
  part: 'key' | 'value',
  text: string,
): Span | undefined {
  let node: unknown = document.contents;
  let key: unknown;
  for (const step of where) {
    const next = stepInto(node, step);
    if (!next) return undefined;
    ({ key, value: node } = next);
  }
  const word = part === 'key' ? key : node;
  const span = yaml().isScalar(word) ? rangeOf(word) : undefined;
  if (!span) return undefined;
  const quotes = /^(["'])(.*)\1$/s.exec(text.slice(span.start, span.end)) ? 1 : 0;
  const inner = { start: span.start + quotes, end: span.end - quotes };
  return text.slice(inner.start, inner.end).includes('\n') ? undefined : inner;
}

/** Of large maps, in which many places are looked for. */
const pairsOf = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
const LARGE = 16;

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  const { isNode } = yaml();
  const nameOf = (pair: Pair) => (isNode(pair.key) ? String(pair.key.toJSON()) : undefined);
  if (map.items.length < LARGE) return map.items.find((pair) => nameOf(pair) === key);
  const known = pairsOf.get(map);
  if (known) return known.get(key);
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const name = nameOf(pair);
    // The first counts, as above.
    if (name !== undefined && !pairs.has(name)) pairs.set(name, pair);
  }
  pairsOf.set(map, pairs);
  return pairs.get(key);
}

function stepInto(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  const { isMap, isNode, isPair } = yaml();
  if (isMap(node)) return pairIn(node, String(step));
  if (!isNode(node) || !('items' in node) || !Array.isArray(node.items) || typeof step !== 'number') return undefined;
  const item: unknown = node.items[step];
  return isPair(item) ? item : item === undefined ? undefined : { key: undefined, value: item };
}

function rangeOf(node: unknown): Span | undefined {
  const range = yaml().isNode(node) ? node.range : undefined;
  return range ? { start: range[0], end: range[1] } : undefined;
}

function sentence(message: string): string {
  if (/multiple documents/.test(message)) return 'A second document starts here, but only the first is read.';
  const line = (message.split('\n', 1)[0] ?? '').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/**
 * Puts plain values of top-level keys that hold a colon between quotes, line by line, so that
 * `description: Use this: it helps` reads as its author meant. Everything else stays as it is, and so do line numbers.
 */
export function quoteColonValues(head: string): string {
  const lines = head.split('\n');
  return lines.map((line, index) => (startsNested(lines[index + 1]) ? line : quoteLine(line))).join('\n');
}

/** A value that goes on in the next line is left to YAML. */
function startsNested(next: string | undefined): boolean {
  return next !== undefined && /^[ \t]+\S/.test(next);
}

function quoteLine(line: string): string {
  const [, key, rest] = PLAIN_ENTRY.exec(line) ?? [];
  if (key === undefined || rest === undefined || NOT_PLAIN.test(rest)) return line;
  const comment = /[ \t]#/.exec(rest);
  const value = rest.slice(0, comment?.index).trimEnd();
  if (!HAS_COLON.test(value)) return line;
  return `${key}'${value.replaceAll("'", "''")}'${rest.slice(value.length)}`;
}
