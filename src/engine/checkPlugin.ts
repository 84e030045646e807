import { nearest } from '../base/matching';
import * as z from '../base/zod';
import { EngineError } from './engineError';

/** Schema of a plugin's function. */
export const callable = z.custom((value) => typeof value === 'function', 'expected a function');

/** Schema of a plugin's object with these fields. An unknown field is reported, with the one that was most likely meant. */
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
 * Validates what others provide, since their code may not have been type-checked. Throws EngineError `invalid-input`, which names
 * each invalid field. Additional fields of a class instance are accepted. `kind`: "tool", "agent".
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

/** Lists each invalid field with its problem. */
export function issuesOf({ issues }: Pick<z.SchemaError, 'issues'>): string {
  return issues
    .map(({ path, message }) => {
      const what = message.replace(/^Invalid (?:input|option): /, '').replace('received', 'got');
      return path.length > 0 ? `“${path.map(String).join('.')}”: ${what}` : what;
    })
    .join('; ');
}

/** Whether a value is a plain object rather than a class instance, also one from another realm. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(Object(value));
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
