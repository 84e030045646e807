import type { JsonSchema } from '../../tools/plugin/checkArguments';

/** What a parameter may be. */
export interface ValueType {
  readonly schema: JsonSchema;
  /** It may also be nothing, so it need not be given. */
  readonly isNullable: boolean;
}

export const ANYTHING: ValueType = { schema: {}, isNullable: false };

export function ofType(type: string, more: JsonSchema = {}): ValueType {
  return { schema: { type, ...more }, isNullable: false };
}

/** Of values that are written out. */
export function ofLiterals(values: readonly (string | number | boolean)[]): JsonSchema {
  const types = [...new Set(values.map((value) => typeof value))];
  const [only] = types;
  return { ...(types.length === 1 && only !== undefined && { type: only }), enum: [...new Set(values)] };
}

/** One of several types; nothing among them says that it need not be given. */
export function ofUnion(members: readonly ValueType[], hasNothing: boolean): ValueType {
  const isNullable = hasNothing || members.some((one) => one.isNullable);
  const schemas = members.map(({ schema }) => schema);
  const [only] = schemas;
  if (schemas.length <= 1) return { schema: only ?? {}, isNullable };
  const values = schemas.map(({ enum: values }) => (Array.isArray(values) ? values : undefined));
  if (values.every((one) => one !== undefined)) {
    return { schema: ofLiterals(values.flat().filter(isLiteral)), isNullable };
  }
  const distinct = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  const [single] = distinct;
  return { schema: distinct.length === 1 && single ? single : { anyOf: distinct }, isNullable };
}

function isLiteral(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Types that a script makes itself, by name; undefined for one that it does not. */
export type NamedTypes = (name: string) => ValueType | undefined;

/** What is larger, many types in one another, is told to no model. Characters. */
const MOST = 5000;

/**
 * Each type is made once, with those that it names. One that means itself, or that grows too large with all in it, may be
 * anything there.
 */
export function namedTypes(make: (name: string, named: NamedTypes) => ValueType | undefined): NamedTypes {
  const known = new Map<string, ValueType | undefined>();
  const named: NamedTypes = (name) => {
    if (known.has(name)) return known.get(name);
    known.set(name, ANYTHING);
    const made = make(name, named);
    const type = made && JSON.stringify(made.schema).length > MOST ? ANYTHING : made;
    known.set(name, type);
    return type;
  };
  return named;
}
