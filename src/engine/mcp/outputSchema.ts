import { isRecord } from '../../base/isRecord';
import { safeLine } from '../../base/shown/safeText';
import { DEEPEST } from '../messages/nesting';
import { shallowJson } from '../messages/shallowJson';
import { schemaMistakes } from '../tools/schemaMistakes';

/** A schema as a server sent it. */
export type OutputSchema = Readonly<Record<string, unknown>>;

/** Characters of a schema as JSON. */
const MAX_SCHEMA = 30_000;
/** Lists, objects and values: of more, it is not looked whether they fit. */
const MAX_PARTS = 5000;
/** Nor of more characters in its texts. */
const MAX_CHARACTERS = 1_000_000;
const LIMITS = { references: 20_000, work: 300_000 };
/** A longer name is none of a property. */
const MAX_NAME = 1000;
/** So many mistakes are told. */
const MOST_MISTAKES = 5;
const MAX_MISTAKE = 300;

/** Keywords whose check may take for ever, however short they are, and those that say nothing of what fits. */
const LEFT_OUT = new Set([
  ...['pattern', 'patternProperties', 'format', '$recursiveRef', '$recursiveAnchor', 'default', 'examples'],
]);
/** Their values are data, or words. */
const DATA = new Set(['const', 'enum', 'required', 'dependentRequired', 'type']);
/** Their values are schemas by name. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/** The part of a schema by which results can be checked without harm; a sentence when it is none. */
export function readOutputSchema(schema: unknown): OutputSchema | string {
  if (!isRecord(schema) || Array.isArray(schema)) return 'it is not an object';
  const json = shallowJson(schema);
  if (json === undefined) return `it is nested more than ${DEEPEST} levels deep`;
  if (json.length > MAX_SCHEMA) return `it has ${json.length} characters, more than ${MAX_SCHEMA}`;
  const safe = safePart(schema);
  const failure = checkFailure(safe);
  return failure ?? safe;
}

/**
 * What of a result does not fit, a sentence each, whatever the server sent: none where it fits, or where it is too large to tell.
 */
export function outputMistakes(value: unknown, schema: OutputSchema): readonly string[] {
  if (!isSmall(value)) return [];
  try {
    return schemaMistakes(value, schema, LIMITS)
      .slice(0, MOST_MISTAKES)
      .map((one) => safeLine(one, MAX_MISTAKE));
  } catch {
    // The schema goes round in a circle for this value only, or takes too long: nothing is known of whether it fits.
    return [];
  }
}

/** What is wrong with a schema shows with any value. */
function checkFailure(schema: OutputSchema): string | undefined {
  try {
    schemaMistakes({}, schema, LIMITS);
    return undefined;
  } catch (error) {
    return error instanceof Error ? safeLine(error.message, MAX_MISTAKE) : 'it is not a valid schema';
  }
}

function safePart(schema: OutputSchema): OutputSchema {
  // Without the patterns it is not known which properties are additional.
  const isOpen = Object.hasOwn(schema, 'patternProperties');
  const kept = Object.entries(schema).filter(
    ([key]) => !LEFT_OUT.has(key) && !(isOpen && /^(?:additional|unevaluated)Properties$/.test(key)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, safeValue(key, value)]));
}

function safeValue(key: string, value: unknown): unknown {
  if (DATA.has(key)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => safeValue('', one));
  if (!isRecord(value)) return value;
  if (!NAMED.has(key)) return safePart(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, safeValue('', one)]));
}

function isSmall(value: unknown): boolean {
  let parts = 0;
  let characters = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    if (++parts > MAX_PARTS) return false;
    const one = open.pop();
    if (typeof one === 'string' && (characters += one.length) > MAX_CHARACTERS) return false;
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one) && Object.keys(one).some((name) => name.length > MAX_NAME)) return false;
    const within: unknown[] = Object.values(one);
    if (parts + within.length > MAX_PARTS) return false;
    open.push(...within);
  }
  return true;
}
