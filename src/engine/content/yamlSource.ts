import type { Document, LineCounter, Pair, YAMLMap } from 'yaml';
import KNOWN from '../../../assets/known.frontMatter';
import type { ContentProblem } from './contentProblem';
import type * as yamlLibrary from './yamlLibrary';

const PLAIN_ENTRY = /^([A-Za-z_][\w.-]*[ \t]*:[ \t]+)(\S[^\n]*)$/;
/** Start of a value that is not plain: quoted, block, flow, alias, anchor, tag, comment. */
const NOT_PLAIN = /^["'|>[{&*!#%@`]/;

const HAS_COLON = /:(?=[ \t]|$)/;

type YamlLibrary = typeof yamlLibrary;
let library: YamlLibrary | undefined;

/**
 * Loads the library; must be awaited before `readYaml`. The front matter of built-in content was parsed by the build and does not
 * load it: on most starts there is nothing else to read.
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
  /** 1-based, in the file. */
  line: number;
  column: number;
}

/** YAML with the positions of its values, so that a problem can be shown where it occurs. */
export interface YamlSource {
  /** The path of the file, for problems. */
  path: string;
  /** Plain data; undefined if the text does not parse. */
  data: unknown;
  /** Problems of kind `parse`; those that do not prevent reading are warnings. */
  problems: ContentProblem[];
  /**
   * Returns where a value begins, or with `key` its key; for a missing one, where its nearest parent begins. `words`: a part of
   * the value to locate, if it appears verbatim.
   */
  position(where: readonly PropertyKey[], part?: 'key' | 'value', words?: string): Position;
  /** Returns the range of a value or key without its quotes; undefined if it is not text on a single line. */
  wordAt?(where: readonly PropertyKey[], part: 'key' | 'value'): WordPlace | undefined;
}

/** From the first character to just after the last. */
export interface WordPlace {
  start: Position;
  end: Position;
}

interface ReadYamlOptions {
  path: string;
  /** The line of the file on which the text begins. Default: the first. */
  firstLine?: number;
  /** Whether plain values that contain colons are read as text. */
  lenient?: boolean;
  /** For files written for another tool: their known keys. Invalid YAML is then read entry by entry, with a warning. */
  mendBy?: readonly string[] | undefined;
}

/** Parses YAML. Errors are returned as problems. */
export function readYaml(text: string, { path, firstLine = 1, lenient = false, mendBy }: ReadYamlOptions): YamlSource {
  if (!library && isKnown(text)) {
    return { path, data: KNOWN[text], problems: [], position: () => ({ line: firstLine, column: 1 }) };
  }
  const described = yaml().describedWhole(text.replace(/\r\n?/g, '\n'), mendBy !== undefined);
  const plain = described.text;
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
  const atLine = (line: number, severity: 'warning' | 'note', message: string): ContentProblem => {
    return { kind: 'parse', severity, path, line: line + firstLine - 1, column: 1, message };
  };
  const readAsText = mended.map((line) => atLine(line, 'warning', READ_AS_TEXT));
  const notes = described.notes.map(({ line, message }) => atLine(line, 'note', message));
  const data = problems.some(({ severity }) => severity === 'error')
    ? undefined
    : plainData(document, plain, (message) => problems.push(problem(0, message)));
  const position: YamlSource['position'] = (where, part = 'value', words) => {
    const { start, end } = spanOf(document, where, part);
    const inside = words === undefined ? -1 : plain.slice(start, end).indexOf(words);
    return placed(start + Math.max(0, inside));
  };
  const wordAt: YamlSource['wordAt'] = (where, part) => {
    const span = wordSpan(document, where, part, plain);
    return span && { start: placed(span.start), end: placed(span.end) };
  };
  return { path, data, problems: [...problems, ...readAsText, ...notes], position, wordAt };
}

/** Returns the source for text that the parser cannot handle. */
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

/** A duplicate of a key without effect is harmless; for a known key, it is unclear which value counts. */
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
  /** Lines that are read as text because they are not valid YAML. */
  mended?: readonly number[];
}

/**
 * With `lenient`, returns the reading with fewer errors. Returns a message if the parser cannot handle the text, for example if
 * it is nested too deeply.
 */
function parse(text: string, lenient: boolean, mendBy: readonly string[] | undefined): Parsed | string {
  const library = yaml();
  try {
    const strict = parseLines(text, library);
    const isSound = strict.document.errors.every((error) => isHarmless(error, text, mendBy));
    const isRead = !mendBy || isResolved(strict.document, text);
    if ((isSound && isRead) || !lenient) return strict;
    const quoted = parseLines(quoteColonValues(text), library);
    if (mendBy && !(quoted.document.errors.length === 0 && isRead)) {
      const parses = (entry: string) => {
        const { document } = parseLines(entry, library);
        return document.errors.length === 0 && isResolved(document, entry);
      };
      const mended = library.mendEntries(text, mendBy, parses);
      const read = mended && parseLines(mended.text, library);
      if (read?.document.errors.length === 0) return { ...read, mended: mended?.lines ?? [] };
    }
    return quoted.document.errors.length < strict.document.errors.length ? quoted : strict;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether all aliases resolve. A pattern such as `*.ts` parses as an alias and fails only when it is resolved. */
function isResolved(document: Document, text: string): boolean {
  if (!/(?:^|[\s,[{])\*/.test(text)) return true;
  try {
    document.toJS({ maxAliasCount: -1 });
    return true;
  } catch {
    return false;
  }
}

function parseLines(text: string, { LineCounter, parseDocument }: YamlLibrary): Parsed {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }), lines };
}

/** Merge keys are applied once the data is known to be acyclic and of limited size. */
function plainData(document: Document, text: string, onFailure: (message: string) => void): unknown {
  try {
    const data: unknown = document.toJS({ maxAliasCount: -1 });
    let excess = excessOf(data);
    if (excess === undefined && text.includes('<<') && yaml().applyMerges(data, MOST_VALUES)) excess = excessOf(data);
    if (excess === undefined) return data;
    onFailure(`The aliases here ${excess}. Write fewer of them.`);
    return undefined;
  } catch (error) {
    // Aliases that are undefined, or that refer to a node containing them.
    onFailure(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** More than any file within the size limit has; aliases can multiply its values without bound. */
const MOST_VALUES = 1_000_000;

/** Returns which limit is exceeded. Counts aliased values once per use, as a consumer that walks the data would see them. */
function excessOf(data: unknown): string | undefined {
  const { DEEPEST_DATA } = yaml();
  const waiting = [data];
  const levels = [0];
  for (let count = 0; waiting.length > 0; count++) {
    const value = waiting.pop();
    const level = (levels.pop() ?? 0) + 1;
    if (typeof value !== 'object' || value === null) continue;
    if (level > DEEPEST_DATA) return `nest values more than ${DEEPEST_DATA.toLocaleString('en')} levels deep`;
    const inner = Object.values(value);
    if (count + waiting.length + inner.length > MOST_VALUES)
      return `stand for more than ${MOST_VALUES.toLocaleString('en')} values`;
    for (const one of inner) {
      waiting.push(one);
      levels.push(level);
    }
  }
  return undefined;
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
    const next = stepInto(node, step, document);
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
    const next = stepInto(node, step, document);
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

/** Index of large maps, in which many positions are looked up. */
const pairsOf = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
const LARGE = 16;

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  const { isNode, keyName } = yaml();
  const nameOf = (pair: Pair) => (isNode(pair.key) ? keyName(pair.key.toJSON()) : undefined);
  if (map.items.length < LARGE) return map.items.find((pair) => nameOf(pair) === key);
  const known = pairsOf.get(map);
  if (known) return known.get(key);
  const pairs = new Map<string, Pair>();
  for (const pair of map.items) {
    const name = nameOf(pair);
    // The first pair wins, as in small maps.
    if (name !== undefined && !pairs.has(name)) pairs.set(name, pair);
  }
  pairsOf.set(map, pairs);
  return pairs.get(key);
}

/** Finds an entry that a merge key adds, where it is written. */
function mergedPairIn(map: YAMLMap, key: string, document: Document): Pair | undefined {
  for (const source of yaml().mergedInto(map, document)) {
    const pair = pairIn(source, key);
    if (pair) return pair;
  }
  return undefined;
}

function stepInto(node: unknown, step: PropertyKey, document: Document): { key: unknown; value: unknown } | undefined {
  const { isMap, isNode, isPair } = yaml();
  if (isMap(node)) return pairIn(node, String(step)) ?? mergedPairIn(node, String(step), document);
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
 * Quotes plain values of top-level keys that contain a colon, line by line, so that `description: Use this: it helps` reads as
 * intended. Everything else, including line numbers, stays unchanged.
 */
export function quoteColonValues(head: string): string {
  const lines = head.split('\n');
  return lines.map((line, index) => (startsNested(lines[index + 1]) ? line : quoteLine(line))).join('\n');
}

/** A value that continues on the next line is left to YAML. */
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

/** Formats plain data as YAML, as a user would write it. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('./yamlLibrary');
  return stringify(value, { lineWidth: 120 });
}
