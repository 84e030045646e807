import { isRecord } from '../../../base/isRecord';
import { memoizeByObject } from '../../../base/memoizeByObject';
import { type JsonSchema, sentKeys } from './checkArguments';

/** Keywords that Anthropic, OpenAI, or both refuse at the top of a tool's schema. */
const REFUSED: ReadonlySet<string> = new Set(['$ref', '$schema', '$id', 'enum', 'not', 'allOf', 'anyOf', 'oneOf']);
/** Parts of a schema that map names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Parts of a schema that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** A deeper schema is recursive. */
const DEEPEST = 40;
/** More parts of a schema are recursive, or an attack. */
const MOST_PARTS = 100;

/**
 * Returns a tool's schema as models get it: a vendor refuses the whole request, and so every message, if it does not like the
 * schema of one tool. Alternatives at the top become one list of properties, lists say what they contain, and keys have an
 * ordinary form (`sentKeys`). Arguments are still checked against the schema as written.
 *
 * The vendors' errors are quoted in https://github.com/evoila/meho/issues/905 (alternatives at the top),
 * https://github.com/spacelift-io/spacectl/issues/402 (lists), and https://github.com/anthropics/claude-code/issues/34771 (keys), seen
 * 2026-11-27.
 */
export const offeredSchema = memoizeByObject((schema: JsonSchema): JsonSchema => {
  const complete = completed(withPlainKeys(withoutAlternatives(schema), sentKeys(schema)), 0);
  return isRecord(complete) ? complete : schema;
});

interface Joined {
  properties: Map<string, unknown>;
  required: ReadonlySet<string>;
}

function withoutAlternatives(schema: JsonSchema): JsonSchema {
  if (schema['type'] === 'object' && !Object.keys(schema).some((key) => REFUSED.has(key))) return schema;
  const { properties, required } = joined(schema, { root: schema, parts: 0 });
  const rest = Object.entries(schema).filter(([key]) => !REFUSED.has(key));
  return {
    ...Object.fromEntries(rest),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** Joins what a schema and its parts say about an object: all that may be given, and what must be given in every case. */
function joined(schema: JsonSchema, joining: { readonly root: JsonSchema; parts: number }): Joined {
  const own: Joined = {
    properties: new Map(isRecord(schema['properties']) ? Object.entries(schema['properties']) : []),
    required: new Set(textsIn(schema['required'])),
  };
  if (++joining.parts > MOST_PARTS) return own;
  const part = (value: unknown) => joined(isRecord(value) ? value : {}, joining);
  const parts = (key: string) => (Array.isArray(schema[key]) ? schema[key].map(part) : []);
  const referred = typeof schema['$ref'] === 'string' ? [part(definitionIn(joining.root, schema['$ref']))] : [];
  const all = [own, ...referred, ...parts('allOf')];
  const ways = [parts('anyOf'), parts('oneOf')].filter((some) => some.length > 0);
  const properties = new Map<string, unknown>();
  for (const one of [...all, ...ways.flat()]) addProperties(properties, one.properties);
  const common = ways.map((some) => some.map(({ required }) => required).reduce((left, right) => shared(left, right)));
  return {
    properties,
    required: new Set([...all.map(({ required }) => required), ...common].flatMap((some) => [...some])),
  };
}

function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...left].filter((key) => right.has(key)));
}

/** Where two parts describe a property differently, either description applies. */
function addProperties(to: Map<string, unknown>, more: ReadonlyMap<string, unknown>): void {
  for (const [key, schema] of more) {
    const before = to.get(key);
    if (before === undefined) to.set(key, schema);
    else if (JSON.stringify(before) !== JSON.stringify(schema)) to.set(key, { anyOf: [before, schema] });
  }
}

/** Follows `#/$defs/Name` and the like; undefined for what is not in this schema. */
function definitionIn(root: JsonSchema, reference: string): unknown {
  const [start, ...path] = reference.split('/');
  if (start !== '#') return undefined;
  return path.reduce<unknown>((at, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}

function withPlainKeys(schema: JsonSchema, keys: ReadonlyMap<string, string>): JsonSchema {
  if (keys.size === 0 || !isRecord(schema['properties'])) return schema;
  const sent = new Map([...keys].map(([as, own]) => [own, as]));
  const named = (key: string) => sent.get(key) ?? key;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema['properties']).map(([key, one]) => [named(key), one])),
    required: textsIn(schema['required']).map(named),
  };
}

/** Says of every list what it contains: OpenAI requires `items`, and takes no list of schemas there. */
function completed(value: unknown, depth: number): unknown {
  if (depth > DEEPEST || !isRecord(value)) return value;
  if (Array.isArray(value)) return value.map((one) => completed(one, depth + 1));
  const made: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, VALUES.has(key) ? one : completedPart(key, one, depth + 1)]),
  );
  if (!isList(made)) return made;
  const { items } = made;
  if (isRecord(items) && !Array.isArray(items)) return made;
  return { ...made, items: Array.isArray(items) && items.length > 0 ? { anyOf: items } : {} };
}

function completedPart(key: string, part: unknown, depth: number): unknown {
  if (!MAPS.has(key) || !isRecord(part)) return completed(part, depth);
  // `true` allows anything, as `{}` does.
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => [name, one === true ? {} : completed(one, depth + 1)]),
  );
}

function isList({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
