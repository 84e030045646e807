/** The used part of the YAML library, as a chunk that is loaded when the first content file is read. */
import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  YAMLParseError,
} from 'yaml';
import { MERGE } from './mergeKeys';

export { isCollection, isMap, isNode, isPair, isScalar, LineCounter, stringify } from 'yaml';
export { applyMerges, mergedInto } from './mergeKeys';

/**
 * Deeper than any handwritten file. The parser recurses for each level, and when the stack is nearly exhausted, V8 cannot compile
 * its regular expressions and aborts the whole process, which cannot be caught.
 */
const DEEPEST = 500;
/** Levels of plain data: each alias adds those of its value. Recursive code must be able to walk them. */
export const DEEPEST_DATA = 2 * DEEPEST;
/** The library looks through all aliases and anchors for each alias, which takes minutes for many thousands of them. */
const MOST_ALIASES = 5000;
/** A file can have an error in every character, and the first ones are enough to correct it. */
const MOST_ERRORS = 100;

/** Parses like the library's function of the same name. Throws if the text is nested too deeply. */
export function parseDocument(text: string, options: ParseOptions & DocumentOptions): Document.Parsed {
  if (blockDepth(text) > DEEPEST) throw tooDeep();
  const parts = new Composer({ ...options, uniqueKeys: false });
  const [document, next] = parts.compose(tokens(text, options.lineCounter), true, text.length);
  if (!document) throw new Error('The YAML library found no document.');
  if (next) document.errors.push(errorAt(next.range[0], 'MULTIPLE_DOCS', 'The source contains multiple documents'));
  tellProblems(document);
  document.errors.splice(MOST_ERRORS);
  return document;
}

/** Checks the depth on the way, since reading a large file once more only for that is slow. */
function* tokens(text: string, lines: LineCounter | undefined): Generator<CST.Token, void> {
  const parser = new Parser(lines?.addNewLine);
  lines?.addNewLine(0);
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') depth++;
    else if (lexeme === ']' || lexeme === '}') depth = Math.max(0, depth - 1);
    if (depth > DEEPEST) throw tooDeep();
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

function tooDeep(): Error {
  return new Error(`This is nested too deeply (more than ${DEEPEST} levels).`);
}

const UNIQUE = 'Map keys must be unique';
const ONE_MERGE = `${UNIQUE}; merge several maps with one list, such as <<: [*one, *other]`;

/**
 * Reports duplicate keys, and too many aliases. The library compares each key with all previous ones, which takes minutes for a map
 * with many thousands of keys.
 */
function tellProblems({ contents, errors }: Pick<Document, 'contents' | 'errors'>): void {
  const before = errors.length;
  const aliases: number[] = [];
  const waiting: unknown[] = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isAlias(node)) aliases.push(node.range?.[0] ?? 0);
    if (isSeq(node)) for (const item of node.items) waiting.push(item);
    if (!isMap(node)) continue;
    const known = new Set<string>();
    for (const { key, value } of node.items) {
      waiting.push(key, value);
      if (!isScalar(key)) continue;
      const name = keyName(key.value);
      if (known.has(name))
        errors.push(errorAt(key.range?.[0] ?? 0, 'DUPLICATE_KEY', name === MERGE ? ONE_MERGE : UNIQUE));
      known.add(name);
    }
  }
  const [first] = aliases.sort((a, b) => a - b).slice(MOST_ALIASES);
  const most = MOST_ALIASES.toLocaleString('en');
  if (first !== undefined)
    errors.push(errorAt(first, 'BAD_ALIAS', `There are more than ${most} aliases; write fewer of them`));
  if (errors.length > before) errors.sort((a, b) => a.pos[0] - b.pos[0]);
}

function errorAt(start: number, code: YAMLParseError['code'], message: string): YAMLParseError {
  return new YAMLParseError([start, start + 1], code, message);
}

/** Returns the key under which plain data has a value: `1` and `"1"` are the same there. */
export function keyName(key: unknown): string {
  if (key === null) return '';
  if (typeof key === 'number' || typeof key === 'boolean') return String(key);
  return typeof key === 'string' ? key : JSON.stringify(key);
}

/** Estimates the depth from the indentation and from consecutive list and key indicators in one line. */
function blockDepth(text: string): number {
  const indents: number[] = [];
  let deepest = 0;
  for (const [line, spaces = '', signs = ''] of text.matchAll(/^([ \t]*)((?:[-?:][ \t]+)*).*$/gm)) {
    if (line.length === spaces.length) continue;
    while ((indents.at(-1) ?? -1) >= spaces.length) indents.pop();
    indents.push(spaces.length);
    deepest = Math.max(deepest, indents.length + signs.replaceAll(/\s/g, '').length);
  }
  return deepest;
}

/** Invalid front matter, converted to valid YAML. */
interface MendedYaml {
  /** Has as many lines as the original. */
  text: string;
  /** 1-based lines that are now read as text. */
  lines: readonly number[];
}

interface Entry {
  key: string;
  /** Index of its first line, and of the line after its last. */
  start: number;
  end: number;
}

const ENTRY = /^([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)/;
/** Lines that do not start an entry: empty lines, comments, list items, and the end of a list. */
const GOES_ON = /^(?:$|[\s#\]}]|-(?:\s|$))/;

/** Only displayed; often starts like a list, and reading it as text loses nothing. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['argument-hint']);

/**
 * Parses each top-level entry separately: an invalid one counts as plain text, as in other tools. If other lines appear between
 * the entries, or a key is duplicated, only `keys` start an entry. Returns undefined if there is no entry.
 */
export function mendEntries(
  text: string,
  keys: readonly string[],
  parses: (yaml: string) => boolean,
): MendedYaml | undefined {
  const lines = text.split('\n');
  const entries = entriesOf(lines, keys);
  const [first] = entries;
  if (!first) return undefined;
  const front = lines.slice(0, first.start);
  const mended: string[] = front.map(() => '');
  const told = front.flatMap((line, at) => (GOES_ON.test(line) ? [] : [at + 1]));
  for (const { key, start, end } of entries) {
    const own = lines.slice(start, end);
    if (parses(own.join('\n'))) mended.push(...own);
    else {
      mended.push(`${key}: ${JSON.stringify(wordsOf(own))}`, ...own.slice(1).map(() => ''));
      if (!SHOWN_ONLY.has(key)) told.push(start + 1);
    }
  }
  return { text: mended.join('\n'), lines: told };
}

function entriesOf(lines: readonly string[], keys: readonly string[]): Entry[] {
  const keyAt = lines.map((line) => ENTRY.exec(line)?.[1]);
  const written = keyAt.filter((key) => key !== undefined);
  const isOrderly =
    new Set(written).size === written.length &&
    lines.every((line, at) => keyAt[at] !== undefined || GOES_ON.test(line));
  const seen = new Set<string>();
  const starts = keyAt.flatMap((key, start) => {
    if (key === undefined || seen.has(key) || !(isOrderly || keys.includes(key))) return [];
    seen.add(key);
    return [{ key, start }];
  });
  return starts.map((one, at) => ({ ...one, end: starts[at + 1]?.start ?? lines.length }));
}

/** Returns the text after the key, without surrounding quotes or a block indicator. */
function wordsOf(own: readonly string[]): string {
  const [front = '', ...more] = own;
  const rest = front
    .replace(ENTRY, '')
    .trim()
    .replace(/^-\s+(?=\S)/, '');
  const words = [/^[|>][-+\d]*$/.test(rest) ? '' : rest, ...more.map((line) => line.trim())].join('\n').trim();
  const [, quote, inside] = /^(["'])([^]*)\1$/.exec(words) ?? [];
  if (inside === undefined) return words;
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1').replaceAll('\\n', '\n') : inside.replaceAll("''", "'");
}

/** A plain description with “ #” in it, which YAML takes for the start of a comment, in a single line. */
const COMMENTED = /^(description[ \t]*:[ \t]+)(?=[^\n]*[ \t]#)([^\s"'|>[{&*!#%@`][^\n]*)$(?!\n[ \t]+\S)/m;

interface DescribedYaml {
  text: string;
  /** 1-based lines. */
  notes: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Notes that a description is cut off by a comment. In files for other tools (`isForeign`), written by people and models who mean
 * the whole line, it is quoted instead, so that nothing is cut.
 */
export function describedWhole(text: string, isForeign: boolean): DescribedYaml {
  const found = COMMENTED.exec(text);
  if (!found) return { text, notes: [] };
  const [all, key = '', value = ''] = found;
  const line = text.slice(0, found.index).split('\n').length;
  const note = (said: string) => [{ line, message: `${said} Put the value in quotes to make that clear.` }];
  if (!isForeign) return { text, notes: note('What follows “ #” is a comment and not part of the description.') };
  const whole = `${key}'${value.trimEnd().replaceAll("'", "''")}'`;
  return {
    text: text.slice(0, found.index) + whole + text.slice(found.index + all.length),
    notes: note('What follows “ #” is read as part of the description, though YAML has comments there.'),
  };
}
