import * as z from '../../base/zod';
import { DEEPEST, nesting } from '../messages/nesting';
import type { JsonValue } from './graph';

/** Any value of JSON. */
export const jsonSchema: z.ZodMiniType<JsonValue> = z.lazy(() => z.json());

/** The value that a JSON text says; undefined when it is none, or too deep to be walked. */
export function parseJson(text: string): JsonValue | undefined {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    // Whoever asks says what it should have been.
    return undefined;
  }
}
