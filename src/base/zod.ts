/**
 * The part of zod that bundlers can tree-shake, with English messages. Everything that validates outside data imports it from
 * here; where no message is shown, `zod/mini` itself is enough.
 */
import { type $ZodError, config, globalConfig, type ParsePayload, prettifyError, type SomeType } from 'zod/v4/core';
import en from 'zod/v4/locales/en.js';
import { exactOptional as zodExactOptional, type ZodMiniExactOptional } from 'zod/mini';

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

/** The result for an `undefined` that may be an absent key; zod ignores it if it is. */
class LateResult implements ParsePayload {
  private read: ParsePayload | undefined;

  constructor(private readonly parse: () => ParsePayload | Promise<ParsePayload>) {}

  get value(): unknown {
    return this.result.value;
  }

  get issues(): ParsePayload['issues'] {
    return this.result.issues;
  }

  private get result(): ParsePayload {
    if (this.read) return this.read;
    const read = this.parse();
    if (read instanceof Promise) throw new TypeError('An optional key cannot be checked asynchronously.');
    return (this.read = read);
  }
}

/**
 * zod's own checks the keys that are absent too and then ignores the result, which is most of the work for the many optional keys
 * of agents. This one checks `undefined` only when the result is read.
 */
export function exactOptional<T extends SomeType>(inner: T): ZodMiniExactOptional<T> {
  const schema = zodExactOptional(inner);
  schema._zod.run = (payload, context) => {
    const parse = () => inner._zod.run(payload, context);
    return payload.value === undefined ? new LateResult(parse) : parse();
  };
  return schema;
}

/** Describes why a value is invalid, on one line. */
export function misfit(error: $ZodError): string {
  return prettifyError(error).replace(/\s+/g, ' ');
}
