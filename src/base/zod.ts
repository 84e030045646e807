/**
 * The part of zod whose functions stand alone, so that what nothing uses is left out of a bundle, with its messages in English.
 * Everything that checks what comes from outside imports it from here; where no message is told, `zod/mini` itself will do.
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

/** What is wrong with a value that does not fit, in one line. */
export function misfit(error: $ZodError): string {
  return prettifyError(error).replace(/\s+/g, ' ');
}
