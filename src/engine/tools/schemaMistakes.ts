import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';

/**
 * What of a value does not fit a JSON Schema, a sentence each. Throws for a schema that makes no sense, and for one that follows
 * references more often than it may.
 */
export function schemaMistakes(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  mostReferences = Infinity,
): string[] {
  const root: Schema = { ...schema };
  let left = mostReferences;
  const lookup = new Proxy(dereference(root), {
    get(all, name) {
      if (--left < 0) throw new Error('It goes round in its references.');
      return typeof name === 'string' ? all[name] : undefined;
    },
  });
  const { valid, errors } = validate(value, root, '2020-12', lookup, false);
  if (valid) return [];
  return leavesOf(errors).map(({ instanceLocation, error }) => {
    const where = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
    return `${where === '' ? 'The value' : `“${where}”`}: ${error.replace(/\.?$/, '.')}`;
  });
}

/** The validator also tells of all that holds a mistake. */
function leavesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  return errors.filter(
    ({ keywordLocation }, at) =>
      !errors.some((other, index) => index !== at && other.keywordLocation.startsWith(`${keywordLocation}/`)),
  );
}
