import * as z from '../base/zod';
import { nearest } from '../base/nearest';
import { EngineError } from './engineError';

/** Of a plugin: something that is called. */
export const callable = z.custom((value) => typeof value === 'function', 'expected a function');

/** Of a plugin: an object of these fields. Any other is named, with the one that is most likely meant. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys, Object.keys(shape)) : undefined),
  });
}

function unknownFields(keys: readonly string[], known: readonly string[]): string {
  const told = keys.map((key) => {
    const meant = nearest(key, known);
    return meant === undefined ? `“${key}”` : `“${key}” (did you mean “${meant}”?)`;
  });
  return `${keys.length === 1 ? 'unknown field' : 'unknown fields'} ${told.join(', ')}`;
}

/**
 * Checks what others bring, whose types nobody may have checked. Throws EngineError `invalid-input` that names each field
 * that does not fit. What an instance of a class has besides is its own affair. `kind`: "tool", "agent".
 */
export function checkPlugin(kind: string, value: unknown, schema: z.ZodMiniType): void {
  const { issues = [] } = schema.safeParse(value).error ?? {};
  const isFree = ({ code, path }: z.core.$ZodIssue) => code === 'unrecognized_keys' && path.length === 0;
  const unfit = isPlain(value) ? issues : issues.filter((issue) => !isFree(issue));
  if (unfit.length === 0) return;
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
    `The ${which} cannot be registered: ${issuesOf({ issues: unfit })}. Fix it in that extension.`,
  );
}

/** Each field that does not fit, with what is wrong with it. */
export function issuesOf({ issues }: Pick<z.SchemaError, 'issues'>): string {
  return issues
    .map(({ path, message }) => {
      const what = message.replace(/^Invalid (?:input|option): /, '').replace('received', 'got');
      return path.length > 0 ? `“${path.map(String).join('.')}”: ${what}` : what;
    })
    .join('; ');
}

/** Made by no class of somebody's; also in another realm. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(Object(value));
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
