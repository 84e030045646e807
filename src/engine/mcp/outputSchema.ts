import { isRecord } from '../../base/isRecord';
import { safeLine } from '../../base/shown/safeText';
import { DEEPEST, shallowJson } from '../messages/nesting';
import { schemaMistakes } from '../tools/schemaMistakes';
import { mapSchemas } from '../tools/schemaPatterns';

/** A schema sent by a server. */
export type OutputSchema = Readonly<Record<string, unknown>>;

/** Maximum size of a schema, in characters of JSON. */
const MAX_SCHEMA = 30_000;
/** Arrays, objects, and values. Larger results are not validated. */
const MAX_PARTS = 5000;
/** Nor are results with more characters of text. */
const MAX_CHARACTERS = 1_000_000;
const LIMITS = { references: 20_000, work: 300_000 };
/** Nor are results with longer property names. */
const MAX_NAME = 1000;
/** Maximum number of mistakes reported. */
const MOST_MISTAKES = 5;
const MAX_MISTAKE = 300;

/** Keywords whose check may take forever, however short they are, and those that do not affect validity. */
const LEFT_OUT = new Set([
  ...['pattern', 'patternProperties', 'format', '$recursiveRef', '$recursiveAnchor', 'default', 'examples'],
]);

/** Returns the part of a schema that is safe to validate with, or a clause that says why the schema is not usable. */
export function readOutputSchema(schema: unknown): OutputSchema | string {
  if (!isRecord(schema) || Array.isArray(schema)) return 'it is not an object';
  const json = shallowJson(schema);
  if (json === undefined) return `it is nested more than ${DEEPEST} levels deep`;
  if (json.length > MAX_SCHEMA) return `it has ${json.length} characters, more than ${MAX_SCHEMA}`;
  const safe = safePart(schema);
  const failure = checkFailure(safe);
  return failure ?? safe;
}

/** Returns how a result violates the schema, one sentence each; empty if it is valid or too large to check. */
export function outputMistakes(value: unknown, schema: OutputSchema): readonly string[] {
  if (!isSmall(value)) return [];
  try {
    return schemaMistakes(value, schema, LIMITS)
      .slice(0, MOST_MISTAKES)
      .map((one) => safeLine(one, MAX_MISTAKE));
  } catch {
    // The schema is circular for this value or takes too long, so validity cannot be determined.
    return [];
  }
}

/** An invalid schema fails on any value. */
function checkFailure(schema: OutputSchema): string | undefined {
  try {
    schemaMistakes({}, schema, LIMITS);
    return undefined;
  } catch (error) {
    return error instanceof Error ? safeLine(error.message, MAX_MISTAKE) : 'it is not a valid schema';
  }
}

function safePart(schema: OutputSchema): OutputSchema {
  return mapSchemas(schema, (one) => {
    // Without the patterns, additional properties cannot be identified.
    const isOpen = Object.hasOwn(one, 'patternProperties');
    const kept = Object.entries(one).filter(
      ([key]) => !LEFT_OUT.has(key) && !(isOpen && /^(?:additional|unevaluated)Properties$/.test(key)),
    );
    return Object.fromEntries(kept);
  });
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
