import type { GraphVersion, JsonValue } from '../graph';
import { type Scope, valueAt } from './statePath';

/** A reference that stands in a template. */
export interface Reference {
  readonly path: string;
  /** Instead of what is missing; version 1.1: `{{path:-text}}`. */
  readonly default?: string;
  /** Where it begins in the template, from 0. */
  readonly offset: number;
}

/** A template, taken apart once: what values hold is never looked at for references. */
export interface Template {
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
    // Without a close there is none for what follows either.
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
/** So far behind the first close the braces of a default are looked at. */
const MOST_BRACED = 1000;

/** Where the close of a default begins: behind the braces that the default itself opens, or else the first that there is. */
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

/** The references of a template, in their order. */
export function referencesIn({ pieces }: Template): Reference[] {
  return pieces.filter((piece) => typeof piece !== 'string');
}

/** What a strict template names and the state does not have. */
export class MissingReferences extends Error {
  constructor(readonly paths: readonly string[]) {
    const names = paths.map((path) => `{{${path}}}`).join(', ');
    super(`The state has no value for ${names}. Write it with an earlier node, or in initial_state.`);
    this.name = 'MissingReferences';
  }
}

/** As text, what is missing as nothing. */
export function renderLenient(template: Template, scope: Scope): string {
  return rendered(template, scope, []);
}

/** As text. Throws MissingReferences that names all that is missing. */
export function renderStrict(template: Template, scope: Scope): string {
  const missing: string[] = [];
  const text = rendered(template, scope, missing);
  if (missing.length > 0) throw new MissingReferences([...new Set(missing)]);
  return text;
}

/**
 * The value itself where the template is one reference and nothing else, the text of a lenient rendering where it is more.
 * Undefined when the one reference is missing.
 */
export function renderTyped(template: Template, scope: Scope): JsonValue | undefined {
  const lone = loneReference(template);
  return lone ? valueOf(lone, scope) : renderLenient(template, scope);
}

/** The same for a template that must come to something. Throws MissingReferences. */
export function renderRaw(template: Template, scope: Scope): JsonValue {
  const lone = loneReference(template);
  if (!lone) return renderStrict(template, scope);
  const value = valueOf(lone, scope);
  if (value === undefined) throw new MissingReferences([lone.path]);
  return value;
}

/** How a value stands in a text. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function rendered({ pieces }: Template, scope: Scope, missing: string[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = valueOf(piece, scope);
      if (value === undefined) missing.push(piece.path);
      return value === undefined ? '' : textOfValue(value);
    })
    .join('');
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
