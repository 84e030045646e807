import type { JsonSchema } from '../../tools/plugin/checkArguments';

/** The type of a parameter. */
export interface ValueType {
  readonly schema: JsonSchema;
  /** Null is allowed too, so the value may be omitted. */
  readonly isNullable: boolean;
}

export const ANYTHING: ValueType = { schema: {}, isNullable: false };

export function ofType(type: string, more: JsonSchema = {}): ValueType {
  return { schema: { type, ...more }, isNullable: false };
}

/** Returns the schema for a set of literal values. */
export function ofLiterals(values: readonly (string | number | boolean)[]): JsonSchema {
  const types = [...new Set(values.map((value) => typeof value))];
  const [only] = types;
  return { ...(types.length === 1 && only !== undefined && { type: only }), enum: [...new Set(values)] };
}

/** Combines types into a union. `hasNothing`: null or undefined is among them, so the value may be omitted. */
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

/** Looks up types that a script defines, by name; undefined if it does not define one. */
export type NamedTypes = (name: string) => ValueType | undefined;

/** Larger types, with many nested in one another, are not shown to models. In characters. */
const MOST = 5000;

/**
 * Returns a lookup that builds each type once, including the types it refers to. A recursive type, or one that becomes too large,
 * allows anything at that point.
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

/** A token of a written type: a name, string, number, or sign. */
interface TypeToken {
  readonly kind: 'name' | 'text' | 'number' | 'sign';
  /** For a string, the contents of its quotes. */
  readonly value: string;
}

const TOKEN =
  /\s+|([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.)*)`|(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)|(\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*)|(=>|\.\.\.|[^\s])/gy;

/** Splits a type into tokens; returns none if it is too long to be a type. */
export function typeTokens(text: string): TypeToken[] {
  const tokens: TypeToken[] = [];
  if (text.length > MOST) return tokens;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [, name, double, single, template, number, , sign] = found;
    const words = double ?? single ?? template;
    if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (words !== undefined) tokens.push({ kind: 'text', value: unescaped(words) });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number.replaceAll('_', '') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
  }
  return tokens;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character);
}

/** Reads tokens one by one. */
export class TokenReader {
  private at = 0;

  constructor(private readonly tokens: readonly TypeToken[]) {}

  get isDone(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(): TypeToken | undefined {
    return this.tokens[this.at];
  }

  /** Consumes the next token if it is this sign, and returns whether it was. */
  takes(sign: string): boolean {
    const is = this.isSign(sign);
    if (is) this.at++;
    return is;
  }

  isSign(sign: string): boolean {
    const token = this.peek();
    return token?.kind === 'sign' && token.value === sign;
  }

  next(): TypeToken | undefined {
    return this.tokens[this.at++];
  }
}
