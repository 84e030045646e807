import * as z from 'zod';

type Schema = z.core.$ZodType;

/** The keys that an object schema knows at a path; none where it is no object. */
export function schemaKeys(schema: Schema, where: readonly PropertyKey[]): string[] {
  return schemasAt(schema, where).flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

/** The fixed values that a schema takes at a path. */
export function schemaChoices(schema: Schema, where: readonly PropertyKey[]): string[] {
  const found = schemasAt(schema, where).flatMap((one) => {
    if (one instanceof z.ZodEnum) return one.options.map(String);
    return one instanceof z.ZodBoolean ? ['true', 'false'] : [];
  });
  return [...new Set(found)];
}

/** Whether a value at a path may be a list, or a map. */
export function schemaShape(schema: Schema, where: readonly PropertyKey[]): 'list' | 'map' | 'value' {
  const found = schemasAt(schema, where);
  if (found.some((one) => one instanceof z.ZodArray)) return 'list';
  return found.some((one) => one instanceof z.ZodObject || one instanceof z.ZodRecord) ? 'map' : 'value';
}

/** Every way that a value at a path may be. */
function schemasAt(schema: Schema, where: readonly PropertyKey[]): Schema[] {
  const [step, ...rest] = where;
  const here = waysOf(schema);
  if (step === undefined) return here;
  return here.flatMap((one) => {
    if (one instanceof z.ZodArray) return typeof step === 'number' ? schemasAt(one.element, rest) : [];
    if (one instanceof z.ZodRecord) return typeof step === 'number' ? [] : schemasAt(one.valueType, rest);
    if (!(one instanceof z.ZodObject) || !Object.hasOwn(one.shape, step)) return [];
    const next: unknown = one.shape[String(step)];
    return next instanceof z.ZodType ? schemasAt(next, rest) : [];
  });
}

function waysOf(schema: Schema): Schema[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return waysOf(schema.unwrap());
  if (schema instanceof z.ZodExactOptional) return waysOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return waysOf(schema.in);
  if (schema instanceof z.ZodLazy) return waysOf(schema._zod.innerType);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(waysOf) : [schema];
}
