import type { JsonSchema } from '../../tools/plugin/checkArguments';
import {
  ANYTHING,
  type NamedTypes,
  ofLiterals,
  ofType,
  ofUnion,
  TokenReader,
  typeTokens,
  type ValueType,
} from './valueType';

/** A deeper type is recursive, or too complex to be filled in. */
const DEEPEST = 8;
const SIMPLE: Readonly<Record<string, ValueType>> = {
  string: ofType('string'),
  String: ofType('string'),
  Date: ofType('string'),
  URL: ofType('string'),
  number: ofType('number'),
  Number: ofType('number'),
  integer: ofType('integer'),
  int: ofType('integer'),
  float: ofType('number'),
  double: ofType('number'),
  bigint: ofType('integer'),
  boolean: ofType('boolean'),
  Boolean: ofType('boolean'),
  bool: ofType('boolean'),
  object: ofType('object'),
  Object: ofType('object'),
  any: ANYTHING,
  unknown: ANYTHING,
};
const LISTS: ReadonlySet<string> = new Set(['Array', 'array', 'ReadonlyArray', 'Set', 'ReadonlySet']);
const SAME: ReadonlySet<string> = new Set(['Readonly', 'Required', 'NonNullable', 'Promise']);
const NOTHING: ReadonlySet<string> = new Set(['null', 'undefined', 'void']);

/** Converts a TypeScript or JSDoc type to a schema; unknown types allow anything. */
export function typescriptType(text: string, named: NamedTypes, depth = 0): ValueType {
  return depth > DEEPEST ? ANYTHING : union(new TokenReader(typeTokens(text)), named, depth);
}

function union(reader: TokenReader, named: NamedTypes, depth: number): ValueType {
  const members: ValueType[] = [];
  let hasNothing = false;
  do {
    // A union may start with `|`, and JSDoc marks nullable types with `?` and others with `!`.
    while (reader.takes('|')) continue;
    if (reader.takes('?')) hasNothing = true;
    reader.takes('!');
    const member = listOf(reader, named, depth);
    if (member === 'nothing') hasNothing = true;
    else members.push(member);
    if (reader.takes('=')) hasNothing = true;
  } while (reader.isSign('|') && !reader.isDone);
  return members.length === 1 && !hasNothing ? (members[0] ?? ANYTHING) : ofUnion(members, hasNothing);
}

/** Parses `string[][]`. */
function listOf(reader: TokenReader, named: NamedTypes, depth: number): ValueType | 'nothing' {
  let one = single(reader, named, depth);
  while (one !== 'nothing' && reader.takes('[')) {
    if (reader.takes(']')) one = ofType('array', { items: one.schema });
    else skipTo(reader, ']');
  }
  return one;
}

function single(reader: TokenReader, named: NamedTypes, depth: number): ValueType | 'nothing' {
  const token = reader.next();
  if (!token) return ANYTHING;
  if (token.kind === 'text') return { schema: ofLiterals([token.value]), isNullable: false };
  if (token.kind === 'number') return { schema: ofLiterals([Number(token.value)]), isNullable: false };
  if (token.kind === 'sign') return grouped(token.value, reader, named, depth + 1);
  const { value: name } = token;
  if (name === 'readonly') return single(reader, named, depth);
  if (NOTHING.has(name)) return 'nothing';
  if (name === 'true' || name === 'false') return { schema: ofLiterals([name === 'true']), isNullable: false };
  // JSDoc also allows `Array.<string>`.
  const bare = name.replace(/\.$/, '');
  reader.takes('.');
  const inner = reader.takes('<') ? argumentsOf(reader, named, depth + 1) : undefined;
  const [first = ANYTHING] = inner ?? [];
  if (LISTS.has(bare)) return ofType('array', inner ? { items: first.schema } : {});
  if (bare === 'Record' || bare === 'Map' || (bare === 'Object' && inner)) {
    return ofType('object', inner?.[1] ? { additionalProperties: inner[1].schema } : {});
  }
  if (SAME.has(bare)) return first;
  if (bare === 'Partial') return { ...first, schema: withoutRequired(first.schema) };
  return simple(bare) ?? named(bare) ?? simple(bare.toLowerCase()) ?? ANYTHING;
}

/** In comments, these are written in any case: llm-functions has `{Integer}`. */
function simple(name: string): ValueType | undefined {
  return Object.hasOwn(SIMPLE, name) ? SIMPLE[name] : undefined;
}

function withoutRequired(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'required'));
}

function grouped(sign: string, reader: TokenReader, named: NamedTypes, depth: number): ValueType {
  if (depth > DEEPEST) return ANYTHING;
  if (sign === '(') {
    const inside = union(reader, named, depth);
    if (!reader.takes(')')) skipTo(reader, ')');
    return inside;
  }
  if (sign === '{') return objectOf(reader, named, depth);
  if (sign === '[') {
    const members: ValueType[] = [];
    while (!reader.isDone && !reader.takes(']')) if (!reader.takes(',')) members.push(union(reader, named, depth));
    return ofType('array', { items: ofUnion(members, false).schema });
  }
  return ANYTHING;
}

/** Parses `{ city: string; days?: number }`. */
function objectOf(reader: TokenReader, named: NamedTypes, depth: number): ValueType {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  while (!reader.isDone && !reader.takes('}')) {
    const key = reader.next();
    if (key?.kind === 'name' && key.value === 'readonly' && reader.peek()?.kind === 'name') continue;
    if (key?.kind === 'sign' && key.value === '[') {
      skipTo(reader, ']');
      reader.takes(':');
      union(reader, named, depth);
      continue;
    }
    if (key?.kind !== 'name' && key?.kind !== 'text') continue;
    const isOptional = reader.takes('?');
    const type = reader.takes(':') ? union(reader, named, depth) : ANYTHING;
    // Assigning it would not create a property, yet it would be listed as required.
    if (key.value === '__proto__') continue;
    properties[key.value] = type.schema;
    if (!isOptional && !type.isNullable) required.push(key.value);
  }
  return ofType('object', { properties, ...(required.length > 0 && { required }) });
}

function argumentsOf(reader: TokenReader, named: NamedTypes, depth: number): ValueType[] {
  const found: ValueType[] = [];
  while (!reader.isDone && !reader.takes('>')) {
    if (reader.takes(',')) continue;
    if (depth > DEEPEST) reader.next();
    else found.push(union(reader, named, depth));
  }
  return found;
}

function skipTo(reader: TokenReader, sign: string): void {
  while (!reader.isDone && !reader.takes(sign)) reader.next();
}
