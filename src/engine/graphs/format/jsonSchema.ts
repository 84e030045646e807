import * as z from '../../../base/zod';
import type { JsonValue } from '../graph';

/** Any value of JSON. */
export const jsonSchema: z.ZodMiniType<JsonValue> = z.lazy(() => z.json());
