import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { isRecord } from '../../base/isRecord';

/** How far somebody else's schema is followed for a value. */
export interface SchemaLimits {
  references: number;
  /** In keywords and what they list, for each part of the value that they are held against. */
  work: number;
}

/** The validator tells of all that holds a mistake, too: of more, it is not looked which do. */
const MOST_ERRORS = 1000;
/** Signs that are looked at in the time of a keyword. */
const SIGNS = 20;

/**
 * What of a value does not fit a JSON Schema, a sentence each. Throws for a schema that makes no sense, and for one that takes more
 * than the limits allow.
 */
export function schemaMistakes(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  limits?: SchemaLimits,
): string[] {
  const root: Schema = limits ? copyOf(schema) : { ...schema };
  const all = dereference(root);
  let left = limits?.references ?? Infinity;
  const lookup = new Proxy(all, {
    get(known, name) {
      if (--left < 0) throw new Error('Its references are circular.');
      return typeof name === 'string' ? known[name] : undefined;
    },
  });
  if (limits) limitWork(new Set(Object.values(all)), sizeOf(value), limits.work);
  const { valid, errors } = validate(value, root, '2020-12', lookup, false);
  if (valid) return [];
  return leavesOf(errors.slice(0, MOST_ERRORS)).map(({ instanceLocation, error }) => {
    const where = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
    return `${where === '' ? 'The value' : `“${where}”`}: ${error.replace(/\.?$/, '.')}`;
  });
}

/** One that can be changed, since it came as JSON. */
function copyOf(schema: Readonly<Record<string, unknown>>): Schema {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(copy) ? copy : {};
}

interface ValueSize {
  /** Signs of the longest text. */
  longest: number;
  /** Items of the longest list. */
  widest: number;
}

function sizeOf(value: unknown): ValueSize {
  const size = { longest: 0, widest: 0 };
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string') size.longest = Math.max(size.longest, one.length);
    if (Array.isArray(one)) size.widest = Math.max(size.widest, one.length);
    const within: unknown[] = isRecord(one) ? Object.values(one) : [];
    open.push(...within);
  }
  return size;
}

/** The validator asks each schema for its reference when it holds a value against it, and so tells of its work. */
function limitWork(schemas: Iterable<unknown>, size: ValueSize, most: number): void {
  let left = most;
  for (const one of schemas) {
    if (!isRecord(one)) continue;
    const { $ref: reference } = one;
    const cost = costOf(one, size);
    Object.defineProperty(one, '$ref', {
      get() {
        left -= cost;
        if (left < 0) throw new Error('Checking values against it takes too long.');
        return reference;
      },
    });
  }
}

/** Of what a schema says itself; the schemas within it tell of their own. */
function costOf(schema: Readonly<Record<string, unknown>>, { longest, widest }: ValueSize): number {
  let cost = 1;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'const' || key === 'dependentRequired') cost += JSON.stringify(value).length / SIGNS;
    else if (key === 'uniqueItems') cost += widest ** 2 / SIGNS;
    else if (key === 'minLength' || key === 'maxLength') cost += longest / SIGNS;
    else if (Array.isArray(value)) cost += value.length;
    else if (isRecord(value)) cost += Object.keys(value).length;
    else cost++;
  }
  return cost;
}

function leavesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  return errors.filter(
    ({ keywordLocation }, at) =>
      !errors.some((other, index) => index !== at && other.keywordLocation.startsWith(`${keywordLocation}/`)),
  );
}
