import { isRecord } from '../../../base/isRecord';

/** Returns a call's arguments as text, which some hosts send as an object. Anything else stays as it is. */
export function argumentsText(given: unknown): unknown {
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
}

/** Returns usage with counts alone, which may be in a group one level down; undefined if it is nothing of the kind. */
export function countsIn(usage: unknown, depth = 0): unknown {
  if (!isRecord(usage)) return undefined;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [
      name,
      isRecord(value) && depth === 0 ? countsIn(value, 1) : countOf(value),
    ]),
  );
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'number' || typeof value === 'string' ? Math.round(Number(value)) : NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}

/** Returns `value` with the usage in its member `name` as `countsIn` returns it. */
export function withCounts(value: unknown, name: string): unknown {
  if (!isRecord(value)) return value;
  const inner = value[name];
  return isRecord(inner) ? { ...value, [name]: { ...inner, usage: countsIn(inner['usage']) } } : value;
}
