import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { isRecord } from '../../base/isRecord';
import { withLinearPatterns } from './schemaPatterns';

/** Limits on the work that a foreign schema may cause. */
interface SchemaLimits {
  references: number;
  /** Counted in keywords and their list items, for each part of the value that they are applied to. */
  work: number;
}

/** The validator also reports every value that contains a mistake. Only this many errors are searched for the actual mistakes. */
const MOST_ERRORS = 1000;
/** Characters that are processed in the time of one keyword. */
const SIGNS = 20;

/** Returns what does not match a JSON Schema, one sentence each. Throws for a schema that is invalid or exceeds the limits. */
export function schemaMistakes(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  limits?: SchemaLimits,
): string[] {
  return withLinearPatterns(schema, value, (linear) => mistakesIn(value, linear, limits));
}

function mistakesIn(value: unknown, schema: Readonly<Record<string, unknown>>, limits?: SchemaLimits): string[] {
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
    const why = error.replace(/^String does not match format "pattern /, 'String does not match pattern "');
    return `${where === '' ? 'The value' : `“${where}”`}: ${why.replace(/\.?$/, '.')}`;
  });
}

/** Returns a mutable copy; the schema came as JSON. */
function copyOf(schema: Readonly<Record<string, unknown>>): Schema {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(copy) ? copy : {};
}

interface ValueSize {
  /** Characters of the longest string. */
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

/** The validator reads a schema's `$ref` whenever it applies the schema to a value, so a getter there counts the work. */
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

/** Returns the cost of a schema's own keywords; nested schemas count their own. */
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
