import { isRecord } from '../../base/isRecord';

type Schema = Readonly<Record<string, unknown>>;

/** The key with which a schema declares that a value is also sent as an HTTP header (SEP-2243, Streamable HTTP of 2026). */
const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
const MISPLACED = 'only a property may declare a header';

/** Whether a tool's input schema declares headers, correctly or not. */
function declaresHeaders(schema: Schema): boolean {
  return JSON.stringify(schema).includes(`"${KEY}":`);
}

/**
 * Returns what is wrong with the headers that a tool's input schema declares: where, and what belongs there. The protocol demands
 * that such a tool is left out.
 */
export function headerFlaw(schema: Schema): string | undefined {
  if (!declaresHeaders(schema)) return undefined;
  return schema[KEY] === undefined ? flawBelow(schema, '', new Set()) : `.${KEY}: ${MISPLACED}`;
}

function flawBelow({ properties = {}, ...others }: Schema, path: string, names: Set<string>): string | undefined {
  if (declaresHeaders(others)) return `${path}: ${MISPLACED}`;
  for (const [key, property] of isRecord(properties) ? Object.entries(properties) : []) {
    const flaw = isRecord(property) ? flawOf(property, `${path}.properties.${key}`, names) : undefined;
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function flawOf({ [KEY]: name, ...schema }: Schema, path: string, names: Set<string>): string | undefined {
  if (name === undefined) return flawBelow(schema, path, names);
  const at = `${path}.${KEY}`;
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${at}: must be the name of a header`;
  if (!TYPES.includes(schema['type'])) return `${at}: only a string, an integer, or a boolean can be sent as a header`;
  const lower = name.toLowerCase();
  if (names.has(lower)) return `${at}: another value is sent as the same header`;
  names.add(lower);
  return flawBelow(schema, path, names);
}
