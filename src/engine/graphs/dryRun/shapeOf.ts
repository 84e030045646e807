import type { JsonObject, JsonValue } from '../graph';
import { isJsonObject } from '../state/statePath';

const DEEPEST = 20;

/** A value that fits a JSON Schema, as simple as it can be; of a schema that wants more than types it may not. */
export function shapeOf(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > DEEPEST) return null;
  for (const key of ['const', 'default'] as const) if (schema[key] !== undefined) return schema[key];
  for (const key of ['enum', 'examples'] as const) {
    const first = Array.isArray(schema[key]) ? schema[key][0] : undefined;
    if (first !== undefined) return first;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const first = Array.isArray(schema[key]) ? schema[key][0] : undefined;
    if (first !== undefined) return shapeOf(first, depth + 1);
  }
  return ofType(schema, depth);
}

function ofType(schema: JsonObject, depth: number): JsonValue {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return 'text'.padEnd(Math.min(1000, numberIn(schema, 'minLength')), '.');
    case 'number':
    case 'integer':
      return Math.ceil(numberIn(schema, 'minimum', numberIn(schema, 'exclusiveMinimum', -1) + 1));
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(100, Math.max(1, numberIn(schema, 'minItems'))) }, () =>
        shapeOf(schema['items'], depth + 1),
      );
    default:
      return objectOf(schema, depth);
  }
}

function objectOf({ properties }: JsonObject, depth: number): JsonValue {
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(own.map(([key, inner]) => [key, shapeOf(inner, depth + 1)]));
}

function numberIn(schema: JsonObject, key: string, instead = 0): number {
  const value = schema[key];
  return typeof value === 'number' ? value : instead;
}
