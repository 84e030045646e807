import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { DEEPEST, nesting } from '../messages/nesting';
import type { JsonObject, JsonValue } from './graph';

/** Any JSON value with all its keys; the library's own JSON schema drops `__proto__`. */
export const jsonSchema: z.ZodMiniType<JsonValue> = z.lazy(() =>
  z.custom<JsonValue>(isJson, 'must be a value of JSON'),
);

export const jsonObjectSchema: z.ZodMiniType<JsonObject> = z.lazy(() =>
  z.custom<JsonObject>((value) => isPlain(value) && isJson(value), 'must be an object of JSON'),
);

function isJson(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJson);
  if (isPlain(value)) return Object.values(value).every(isJson);
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Parses JSON; undefined if the text is not valid JSON, or nested too deeply to traverse. */
export function parseJson(text: string): JsonValue | undefined {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    // The caller reports what was expected.
    return undefined;
  }
}
