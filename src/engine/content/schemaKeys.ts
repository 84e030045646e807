import * as z from '../../base/zod';

type Schema = z.AnySchema;

/** Returns the keys of an object schema at a path; none if it is not an object. */
export function schemaKeys(schema: Schema, where: readonly PropertyKey[]): string[] {
  return schemasAt(schema, where).flatMap((one) => (one instanceof z.AnyObject ? Object.keys(one._zod.def.shape) : []));
}

/** Returns the fixed values that a schema allows at a path. */
export function schemaChoices(schema: Schema, where: readonly PropertyKey[]): string[] {
  const found = schemasAt(schema, where).flatMap((one) => {
    if (one instanceof z.AnyEnum) return Object.values(one._zod.def.entries).map(String);
    return one instanceof z.AnyBoolean ? ['true', 'false'] : [];
  });
  return [...new Set(found)];
}

/** Whether a value at a path may be a list, a map, or neither. */
export function schemaShape(schema: Schema, where: readonly PropertyKey[]): 'list' | 'map' | 'value' {
  const found = schemasAt(schema, where);
  if (found.some((one) => one instanceof z.AnyArray)) return 'list';
  return found.some((one) => one instanceof z.AnyObject || one instanceof z.AnyRecord) ? 'map' : 'value';
}

/** Returns all alternatives of the schema at a path. */
function schemasAt(schema: Schema, where: readonly PropertyKey[]): Schema[] {
  const [step, ...rest] = where;
  const here = waysOf(schema);
  if (step === undefined) return here;
  return here.flatMap((one) => {
    if (one instanceof z.AnyArray) return typeof step === 'number' ? schemasAt(one._zod.def.element, rest) : [];
    if (one instanceof z.AnyRecord) return typeof step === 'number' ? [] : schemasAt(one._zod.def.valueType, rest);
    if (!(one instanceof z.AnyObject) || !Object.hasOwn(one._zod.def.shape, step)) return [];
    const next: unknown = one._zod.def.shape[String(step)];
    return next instanceof z.AnySchema ? schemasAt(next, rest) : [];
  });
}

function waysOf(schema: Schema): Schema[] {
  if (schema instanceof z.AnyOptional || schema instanceof z.AnyDefault || schema instanceof z.AnyNullable)
    return waysOf(schema._zod.def.innerType);
  if (schema instanceof z.AnyExactOptional) return waysOf(schema._zod.def.innerType);
  if (schema instanceof z.AnyPipe) return waysOf(schema._zod.def.in);
  if (schema instanceof z.AnyLazy) return waysOf(schema._zod.innerType);
  return schema instanceof z.AnyUnion ? schema._zod.def.options.flatMap(waysOf) : [schema];
}
