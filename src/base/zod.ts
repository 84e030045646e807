/**
 * The part of zod that bundlers can tree-shake, with English messages. Everything that validates outside data imports it from
 * here; where no message is shown, `zod/mini` itself is enough.
 */
import { type $ZodError, config, globalConfig, prettifyError } from 'zod/v4/core';
import en from 'zod/v4/locales/en.js';

if (!globalConfig.localeError) config(en());

export * from 'zod/mini';
export {
  $ZodArray as AnyArray,
  $ZodBoolean as AnyBoolean,
  $ZodDefault as AnyDefault,
  $ZodEnum as AnyEnum,
  $ZodError as SchemaError,
  $ZodExactOptional as AnyExactOptional,
  $ZodLazy as AnyLazy,
  $ZodNullable as AnyNullable,
  $ZodObject as AnyObject,
  $ZodOptional as AnyOptional,
  $ZodPipe as AnyPipe,
  $ZodRecord as AnyRecord,
  $ZodType as AnySchema,
  $ZodUnion as AnyUnion,
} from 'zod/v4/core';

/** Describes why a value is invalid, on one line. */
export function misfit(error: $ZodError): string {
  return prettifyError(error).replace(/\s+/g, ' ');
}
