import * as z from '../base/zod';
import { EngineError } from './engineError';

/** Of a plugin: something that is called. */
export const callable = z.custom((value) => typeof value === 'function', 'expected a function');

/**
 * Checks what others bring, whose types nobody may have checked. Throws EngineError `invalid-input` that names each field
 * that does not fit. `kind`: "tool", "agent".
 */
export function checkPlugin(kind: string, value: unknown, schema: z.ZodMiniType): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  const named = z.union([
    z.object({ name: z.string() }),
    z.pipe(
      z.object({ id: z.string() }),
      z.transform(({ id }) => ({ name: id })),
    ),
  ]);
  const { data } = named.safeParse(value);
  const which = data ? `${kind} “${data.name}”` : `${kind} without a name`;
  throw new EngineError(
    'invalid-input',
    `The ${which} cannot be registered: ${issuesOf(error)}. Fix it in that extension.`,
  );
}

/** Each field that does not fit, with what is wrong with it. */
export function issuesOf({ issues }: z.SchemaError): string {
  return issues
    .map(({ path, message }) => {
      const what = message.replace(/^Invalid (?:input|option): /, '').replace('received', 'got');
      return path.length > 0 ? `“${path.map(String).join('.')}”: ${what}` : what;
    })
    .join('; ');
}
