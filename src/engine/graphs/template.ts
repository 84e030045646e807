import { isRecord } from '../../base/isRecord';
import type { GraphVersion, JsonValue } from './graph';

/** A reference in a template. */
export interface Reference {
  readonly path: string;
  /** Replaces a missing value; version 1.1: `{{path:-text}}`. */
  readonly default?: string;
  /** 0-based offset in the template. */
  readonly offset: number;
}

/** A parsed template. Since it is parsed once, references inside values are never expanded. */
interface Template {
  readonly pieces: readonly (string | Reference)[];
}

const PLAIN = /\{\{([\w.[\]]+)\}\}/g;
const WITH_DEFAULT = /\{\{([\w.[\]]+)(\}\}|:-)/g;

export function parseTemplate(text: string, version: GraphVersion): Template {
  const form = new RegExp(version === '1.0' ? PLAIN : WITH_DEFAULT);
  const pieces: (string | Reference)[] = [];
  let end = 0;
  for (let match = form.exec(text); match; match = form.exec(text)) {
    const [whole, path = '', sign] = match;
    const from = match.index + whole.length;
    const close = sign === ':-' ? closeOf(text, from) : from;
    // Without a closing "}}", later references are not closed either.
    if (close === undefined) break;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push({ path, offset: match.index, ...(sign === ':-' && { default: text.slice(from, close) }) });
    end = sign === ':-' ? close + CLOSE.length : from;
    form.lastIndex = end;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return { pieces };
}

const CLOSE = '}}';
/** How far after the first "}}" the braces of a default are matched. */
const MOST_BRACED = 1000;

/** Returns the offset of the "}}" that closes a default: the one that matches its nested braces, otherwise the first. */
function closeOf(text: string, from: number): number | undefined {
  const first = text.indexOf(CLOSE, from);
  if (first === -1) return undefined;
  let depth = 0;
  for (let at = from; at < Math.min(text.length, first + MOST_BRACED); at++) {
    const sign = text.charAt(at);
    if (sign === '{') depth++;
    else if (sign === '}' && depth > 0) depth--;
    else if (sign === '}' && text.startsWith(CLOSE, at)) return at;
    else if (sign === '}' && at > first) break;
  }
  return first;
}

/** Returns the references of a template, in order. */
export function referencesIn({ pieces }: Template): Reference[] {
  return pieces.filter((piece) => typeof piece !== 'string');
}

/** Thrown if a strict template names values that the state does not have. */
class MissingReferences extends Error {
  constructor(readonly paths: readonly string[]) {
    const names = paths.map((path) => `{{${path}}}`).join(', ');
    super(`The state has no value for ${names}. Write it with an earlier node, or in initial_state.`);
    this.name = 'MissingReferences';
  }
}

/** Renders as text; missing values become empty. Throws StateTooLarge, as every rendering does. */
export function renderLenient(template: Template, scope: Scope): string {
  return rendered(template, scope, []);
}

/** Renders as text. Throws MissingReferences with all missing paths. */
export function renderStrict(template: Template, scope: Scope): string {
  const missing: string[] = [];
  const text = rendered(template, scope, missing);
  if (missing.length > 0) throw new MissingReferences([...new Set(missing)]);
  return text;
}

/**
 * Returns the value itself if the template is a single reference, otherwise the text of a lenient rendering. Undefined if the
 * single reference is missing.
 */
export function renderTyped(template: Template, scope: Scope): JsonValue | undefined {
  const lone = loneReference(template);
  return lone ? valueOf(lone, scope) : renderLenient(template, scope);
}

/** Like `renderTyped`, but throws MissingReferences if a value is missing. */
export function renderRaw(template: Template, scope: Scope): JsonValue {
  const lone = loneReference(template);
  if (!lone) return renderStrict(template, scope);
  const value = valueOf(lone, scope);
  if (value === undefined) throw new MissingReferences([lone.path]);
  return value;
}

/** Returns the text form of a value. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function rendered({ pieces }: Template, scope: Scope, missing: string[]): string {
  let length = 0;
  const texts = pieces.map((piece) => {
    const value = typeof piece === 'string' ? piece : valueOf(piece, scope);
    if (value === undefined && typeof piece !== 'string') missing.push(piece.path);
    const text = value === undefined ? '' : textOfValue(value);
    length += text.length;
    if (length > MOST_STATE) throw new StateTooLarge('The text of a template');
    return text;
  });
  return texts.join('');
}

function valueOf(reference: Reference, scope: Scope): JsonValue | undefined {
  const value = valueAt(reference.path, scope);
  return value === undefined ? reference.default : value;
}

function loneReference({ pieces }: Template): Reference | undefined {
  const said = pieces.filter((piece) => typeof piece !== 'string' || piece.trim() !== '');
  const [only] = said;
  return said.length === 1 && typeof only === 'object' ? only : undefined;
}

/** Looks up values: in a graph's state, shadowed by what only one node sees. */
export interface Scope {
  get(key: string): JsonValue | undefined;
}

const SEGMENT = /^(\w+)((?:\[\d+\])*)$/;

/** `users[0].name` → `users`, 0, `name`; undefined if it is not a valid path. */
export function pathOf(reference: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  for (const segment of reference.split('.')) {
    const [, name, indices = ''] = SEGMENT.exec(segment) ?? [];
    if (name === undefined) return undefined;
    steps.push(name, ...[...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
  }
  return steps;
}

/** Returns the value at a path; undefined if there is none. `null` is a value. */
function valueAt(reference: string, scope: Scope): JsonValue | undefined {
  const [root, ...rest] = pathOf(reference) ?? [];
  let value = typeof root === 'string' ? scope.get(root) : undefined;
  for (const step of rest) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** Maximum size of a state, and of a text made from it, in characters: nodes that copy what is there could double it each time. */
export const MOST_STATE = 32 * 1024 * 1024;

/** Thrown before a state or a text exceeds that size. */
export class StateTooLarge extends Error {
  constructor(what: string) {
    super(
      `${what} would be larger than ${MOST_STATE / 1024 / 1024} MB. Keep less in the state, for example names of files.`,
    );
    this.name = 'StateTooLarge';
  }
}

/** Returns about how many characters the JSON of values has; stops counting once that is more than `most`. */
export function sizeOf(values: readonly JsonValue[], most: number): number {
  let size = 0;
  const waiting = [...values];
  for (let value = waiting.pop(); value !== undefined && size <= most; value = waiting.pop()) {
    size += typeof value === 'string' ? value.length + 2 : 4;
    if (Array.isArray(value)) for (const one of value) waiting.push(one);
    else if (isJsonObject(value)) {
      for (const [key, one] of Object.entries(value)) {
        size += key.length + 4;
        waiting.push(one);
      }
    }
  }
  return size;
}

export function isJsonObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return isRecord(value) && !Array.isArray(value);
}
