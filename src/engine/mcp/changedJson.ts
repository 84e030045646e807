import { isRecord } from '../../base/isRecord';
import { sameJson } from '../../base/sameJson';
import { EngineError } from '../engineError';
import { type JsonSpan, jsonSpans } from '../permissions/jsonLine';
import { blankComments, plainJson } from './plainJson';

type Data = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A comma and comments that may follow a member, up to the end of its line. */
const NOTE = /^[ \t]*(?:,[ \t]*)?(?:\/\/[^\r\n]*|(?:\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*)*)(?=\r?\n)/;

/**
 * Edits JSON text from `before` to `after`: rewrites only what differs, and preserves everything else, including comments and
 * trailing commas. Throws EngineError `invalid-input` if that is not possible.
 */
export function changedJson(text: string, before: Data, after: Data): string {
  const changed = text.trim() === '' ? `${JSON.stringify(after, undefined, 2)}\n` : changedAt(text, [], before, after);
  if (saysSame(changed, after)) return changed;
  throw new EngineError('invalid-input', 'it has keys twice, or in a spelling of their own');
}

function saysSame(text: string, data: Data): boolean {
  try {
    return sameJson(JSON.parse(plainJson(text)), data);
  } catch {
    return false;
  }
}

function changedAt(text: string, path: Path, before: unknown, after: unknown): string {
  if (sameJson(before, after)) return text;
  if (!isObject(before) || !isObject(after)) return replaced(text, path, after);
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const without = gone.reduce((all, key) => removed(all, [...path, key]), text);
  return Object.entries(after).reduce(
    (all, [key, value]) =>
      Object.hasOwn(before, key) ? changedAt(all, [...path, key], before[key], value) : added(all, path, key, value),
    without,
  );
}

function isObject(value: unknown): value is Data {
  return isRecord(value) && !Array.isArray(value);
}

function spanOf(text: string, path: Path): JsonSpan {
  return jsonSpans(plainJson(text)).get(JSON.stringify(path)) ?? { from: 0, start: 0, end: 0 };
}

function replaced(text: string, path: Path, value: unknown): string {
  const { start, end } = spanOf(text, path);
  return text.slice(0, start) + written(value, text, indentAt(text, start)) + text.slice(end);
}

function removed(text: string, path: Path): string {
  const { from, end } = spanOf(text, path);
  const commas = blankComments(text);
  const [comma] = /^\s*,/.exec(commas.slice(end)) ?? [];
  const upTo = end + (comma?.length ?? 0);
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const note = NOTE.exec(text.slice(upTo))?.[0];
  // Remove the whole line, including a trailing comment, if it has nothing else.
  const isLine = note !== undefined && text.slice(lineStart, from).trim() === '';
  const head = text.slice(0, isLine ? lineStart : from);
  const tail = isLine ? text.slice(upTo + note.length).replace(/^\r?\n/, '') : text.slice(upTo);
  if (comma !== undefined) return head + tail;
  const before = /,\s*$/.exec(commas.slice(0, head.length))?.index;
  return before === undefined ? head + tail : head.slice(0, before) + head.slice(before + 1) + tail;
}

function added(text: string, path: Path, key: string, value: unknown): string {
  const { start, end } = spanOf(text, path);
  const last = Math.max(
    0,
    ...[...jsonSpans(plainJson(text))].filter(([of, span]) => isWithin(of, path) && span.start > start).map(endOf),
  );
  const name = `${JSON.stringify(key)}: `;
  const object = text.slice(start, end);
  if (last > 0 && !object.includes('\n')) {
    return `${text.slice(0, last)}, ${name}${JSON.stringify(value)}${text.slice(last)}`;
  }
  const outer = indentAt(text, start);
  const inner = outer + unitOf(text);
  const line = `${lineEnd(text)}${inner}${name}${written(value, text, inner)}`;
  if (last === 0) {
    return `${text.slice(0, start)}${object.slice(0, -1).trimEnd()}${line}${lineEnd(text)}${outer}${text.slice(end - 1)}`;
  }
  // A comment after the last member belongs to that member.
  const at = last + (NOTE.exec(text.slice(last))?.[0].length ?? 0);
  const hasComma = blankComments(text).slice(last, at).includes(',');
  const closed = text.slice(0, last) + (hasComma ? '' : ',') + text.slice(last, at);
  return `${closed}${line}${text.slice(at)}`;
}

function isWithin(of: string, path: Path): boolean {
  const inside: unknown = JSON.parse(of);
  return (
    Array.isArray(inside) && inside.length === path.length + 1 && path.every((one, depth) => inside[depth] === one)
  );
}

function endOf([, { end }]: readonly [string, JsonSpan]): number {
  return end;
}

function written(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll('\n', `${lineEnd(text)}${indent}`);
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
}

function unitOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
