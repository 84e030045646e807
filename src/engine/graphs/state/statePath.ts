import { isRecord } from '../../../base/isRecord';
import type { JsonValue } from '../graph';

/** Where values are looked up: the state of a graph, and before it what only one node sees. */
export interface Scope {
  get(key: string): JsonValue | undefined;
}

const SEGMENT = /^(\w+)((?:\[\d+\])*)$/;

/** `users[0].name` → `users`, 0, `name`; undefined when it is no path. */
export function pathOf(reference: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  for (const segment of reference.split('.')) {
    const [, name, indices = ''] = SEGMENT.exec(segment) ?? [];
    if (name === undefined) return undefined;
    steps.push(name, ...[...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
  }
  return steps;
}

/** What stands at a path; undefined when nothing does. A `null` is something. */
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
