import type { Pair, YAMLMap } from 'yaml';
import { isRecord } from '../../../base/isRecord';
import { sameJson } from '../../../base/sameJson';
import type { Remedy } from '../../content/contentProblem';
import type { Position } from '../../content/yamlSource';
import * as yaml from '../../content/yamlLibrary';

/** A text edit that fixes a problem. */
export interface TextFix {
  /** Label of the button. */
  readonly title: string;
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

/** Maximum number of remedies that are tried for one place. */
const MOST = 8;

/**
 * Returns the text edit for each remedy. Each edit is verified by parsing the result, which must differ only in what the remedy
 * changes. A remedy that cannot be applied safely, for example inside the target of an alias, is left out.
 */
export function graphFixes(text: string, remedies: readonly Remedy[]): TextFix[] {
  const plain = text.replace(/\r\n?/g, '\n');
  return remedies.slice(0, MOST).flatMap((remedy) => {
    const file = parsed(plain);
    const edit = file && (remedy.kind === 'set' ? setEdit(file, remedy) : removal(file, remedy.where));
    if (!edit || !isRight(file, edit, remedy)) return [];
    const at = (offset: number): Position => {
      const { line, col } = file.lines.linePos(offset);
      return { line, column: col };
    };
    return [{ title: titleOf(remedy), start: at(edit.start), end: at(edit.end), text: edit.text }];
  });
}

function titleOf({ where, ...remedy }: Remedy): string {
  const key = String(where.at(-1));
  return remedy.kind === 'set' ? `Write “${key}: ${remedy.value}”` : `Remove “${key}”`;
}

interface Parsed {
  readonly text: string;
  readonly document: ReturnType<typeof yaml.parseDocument>;
  readonly lines: yaml.LineCounter;
}

/** Start and end are offsets in the text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function parsed(text: string): Parsed | undefined {
  const lines = new yaml.LineCounter();
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
    return document.errors.length === 0 ? { text, document, lines } : undefined;
  } catch {
    // Nested too deeply for the parser; reported as a problem elsewhere.
    return undefined;
  }
}

function mapAt({ document }: Parsed, where: readonly PropertyKey[]): YAMLMap | undefined {
  const found: unknown = where.length === 0 ? document.contents : document.getIn(where, true);
  return yaml.isMap(found) && found.items.length > 0 ? found : undefined;
}

function pairAt(map: YAMLMap, key: PropertyKey): Pair | undefined {
  return map.items.find((pair) => keyText(pair) === String(key));
}

function keyText({ key }: Pair): string | undefined {
  return yaml.isScalar(key) ? String(key.value) : undefined;
}

function setEdit(file: Parsed, { where, value }: Extract<Remedy, { kind: 'set' }>): Edit | undefined {
  const key = where.at(-1);
  const map = mapAt(file, where.slice(0, -1));
  if (!map || key === undefined) return undefined;
  const known = pairAt(map, key);
  if (known) {
    const span = spanOf(known.value);
    const isEmpty = span !== undefined && span.start === span.end;
    return span && { ...span, text: isEmpty ? ` ${value}` : value };
  }
  const words = `${String(key)}: ${value}`;
  if (map.flow) return intoBraces(file.text, map, words);
  // Top-level keys read best after the first one; in a node, a new key goes last.
  const beside = where.length === 1 ? map.items[0] : map.items.at(-1);
  const [first] = map.items;
  const begin = first && spanOf(first.key);
  if (!beside || !begin) return undefined;
  const indent = ' '.repeat(file.lines.linePos(begin.start).col - 1);
  return afterLine(file.text, endOf(beside), indent, words);
}

function intoBraces(text: string, map: YAMLMap, words: string): Edit | undefined {
  const last = map.items.at(-1);
  const span = spanOf(map);
  if (!last || !span) return undefined;
  const from = endOf(last);
  const rest = text.slice(from, span.end - 1);
  return rest.trim() === '' ? { start: from, end: from, text: `, ${words}` } : undefined;
}

function afterLine(text: string, end: number, indent: string, words: string): Edit {
  if (end > 0 && text[end - 1] === '\n') return { start: end, end, text: `${indent}${words}\n` };
  const line = text.indexOf('\n', end);
  const at = line < 0 ? text.length : line;
  return { start: at, end: at, text: `\n${indent}${words}` };
}

function removal(file: Parsed, where: readonly PropertyKey[]): Edit | undefined {
  const map = mapAt(file, where.slice(0, -1));
  const key = where.at(-1);
  const pair = map && key !== undefined ? pairAt(map, key) : undefined;
  const begin = pair && spanOf(pair.key);
  if (!map || !pair || !begin) return undefined;
  const index = map.items.indexOf(pair);
  if (map.flow) {
    const [before, after] = [map.items[index - 1], map.items[index + 1]];
    const next = after && spanOf(after.key);
    if (next) return { start: begin.start, end: next.start, text: '' };
    return { start: before ? endOf(before) : begin.start, end: endOf(pair), text: '' };
  }
  const { text } = file;
  const start = text.lastIndexOf('\n', begin.start - 1) + 1;
  const end = endOf(pair);
  const line = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  return { start, end: line < 0 ? text.length : line + 1, text: '' };
}

/** Returns the offset after the last character of a pair. */
function endOf({ key, value }: Pair): number {
  if (yaml.isCollection(value) && !value.flow) {
    const last: unknown = value.items.at(-1);
    if (yaml.isPair(last)) return endOf(last);
    if (yaml.isNode(last)) return spanOf(last)?.end ?? 0;
  }
  const span = spanOf(value) ?? spanOf(key);
  return span?.end ?? 0;
}

function spanOf(node: unknown): { start: number; end: number } | undefined {
  const range = yaml.isNode(node) ? node.range : undefined;
  return range ? { start: range[0], end: range[1] } : undefined;
}

/** Whether the edited file parses to the previous data plus the change that the remedy asks for. */
function isRight({ text, document }: Parsed, { start, end, text: words }: Edit, remedy: Remedy): boolean {
  const changed = parsed(`${text.slice(0, start)}${words}${text.slice(end)}`);
  if (!changed) return false;
  const said: unknown = JSON.parse(JSON.stringify(dataOf(document) ?? null));
  const key = String(remedy.where.at(-1));
  const owner = remedy.where.slice(0, -1).reduce<unknown>((at, step) => (isRecord(at) ? at[String(step)] : at), said);
  if (!isRecord(owner)) return false;
  if (remedy.kind === 'remove') Reflect.deleteProperty(owner, key);
  else Reflect.set(owner, key, dataOf(parsed(remedy.value)?.document));
  return sameJson(dataOf(changed.document), said);
}

function dataOf(document: Parsed['document'] | undefined): unknown {
  try {
    return document?.toJS({ maxAliasCount: 100 });
  } catch {
    // Aliases expand without bound. NaN compares as different from everything.
    return NaN;
  }
}
