import { isRecord } from '../../../base/isRecord';
import type { JsonValue } from '../graph';

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
export function valueAt(reference: string, scope: Scope): JsonValue | undefined {
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
