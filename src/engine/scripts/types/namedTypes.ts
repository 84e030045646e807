import { ANYTHING, type ValueType } from './valueType';

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
