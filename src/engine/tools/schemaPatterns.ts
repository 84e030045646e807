import { format } from '@cfworker/json-schema';
import { linearExpression, NotLinear } from '../../base/linear/linearExpression';
import { isRecord } from '../../base/isRecord';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose values are data or words. */
const DATA = new Set(['const', 'enum', 'required', 'dependentRequired', 'type', 'default', 'examples']);
/** Keywords whose values map names to schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Returns a copy of a schema in which every schema is changed, inner ones first. */
export function mapSchemas(schema: Schema, change: (one: Schema) => Schema): Schema {
  return change(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapped(key, value, change)])));
}

function mapped(key: string, value: unknown, change: (one: Schema) => Schema): unknown {
  if (DATA.has(key)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => mapped('', one, change));
  if (!isRecord(value)) return value;
  if (!NAMED.has(key)) return mapSchemas(value, change);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped('', one, change)]));
}

/** Returns why the pattern of a schema cannot be used, as a sentence; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  try {
    linearExpression(pattern, 'u');
    return undefined;
  } catch (error) {
    if (error instanceof NotLinear) return `The pattern “${pattern}” cannot be used. ${error.message}`;
    if (error instanceof SyntaxError) return `“${pattern}” is not a regular expression.`;
    throw error;
  }
}

/**
 * Calls `work` with an equal schema whose expressions are matched in linear time, as far as this value is concerned: the validator
 * uses the language's own engine, which may take years. Throws for a pattern that cannot be used.
 */
export function withLinearPatterns<Result>(schema: Schema, value: unknown, work: (schema: Schema) => Result): Result {
  const names = namesIn(value);
  const added: string[] = [];
  const formatOf = (pattern: string) => {
    const name = `pattern ${pattern}`;
    format[name] = matcherOf(pattern);
    added.push(name);
    return name;
  };
  try {
    return work(mapSchemas(schema, (one) => byName(byFormat(one, formatOf), names)));
  } finally {
    for (const name of added) Reflect.deleteProperty(format, name);
  }
}

function matcherOf(pattern: string): (text: string) => boolean {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new Error(problem);
  return linearExpression(pattern, 'u');
}

/** Formats are the only functions that the validator takes. */
function byFormat({ pattern, ...rest }: Schema, formatOf: (pattern: string) => string): Schema {
  // No format of the standard, and the validator's expression for it takes exponential time.
  const schema = rest['format'] === 'url' ? { ...rest, format: 'uri' } : rest;
  if (typeof pattern !== 'string') return schema;
  const form = { format: formatOf(pattern) };
  const isFree = !Object.hasOwn(schema, 'format');
  return isFree ? { ...schema, ...form } : { ...schema, allOf: [...listOf(schema['allOf']), form] };
}

/** Writes patterns of names as the names of the value that match them. */
function byName({ patternProperties, ...rest }: Schema, names: ReadonlySet<string>): Schema {
  if (!isRecord(patternProperties)) return rest;
  const properties = new Map(Object.entries(isRecord(rest['properties']) ? rest['properties'] : {}));
  for (const [pattern, schema] of Object.entries(patternProperties)) {
    const matches = matcherOf(pattern);
    for (const name of names) {
      if (!matches(name)) continue;
      properties.set(name, properties.has(name) ? { allOf: [properties.get(name), schema] } : schema);
    }
  }
  return { ...rest, properties: Object.fromEntries(properties) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (!isRecord(one)) continue;
    if (!Array.isArray(one)) for (const name of Object.keys(one)) names.add(name);
    const within: unknown[] = Object.values(one);
    open.push(...within);
  }
  return names;
}
