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

export function isJsonObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return isRecord(value) && !Array.isArray(value);
}
