import * as z from '../../base/zod';
import { safeLine } from '../../base/shown/safeText';

/** A value that a server file has the user asked for. */
export interface McpInput {
  /** The ID, as in `${input:ID}` in launches. */
  readonly id: string;
  /** The file's own description. */
  readonly description: string;
  readonly isHidden: boolean;
  /** Empty: any value is allowed. */
  readonly options: readonly string[];
  readonly fallback: string | undefined;
  /** The name of the secret that stores the user's value, separate for each file. */
  readonly secret: string;
}

const inputSchema = z.lazy(() =>
  z.looseObject({
    id: z.string().check(z.minLength(1), z.maxLength(80)),
    type: z.enum(['promptString', 'pickString']),
    description: z.optional(z.string()),
    password: z.optional(z.boolean()),
    default: z.optional(z.string()),
    options: z.optional(z.array(z.union([z.string(), z.looseObject({ value: z.string() })]))),
  }),
);

const MAX_INPUTS = 50;
const MAX_OPTIONS = 100;
/** Longer paths would not fit in the name of a secret. */
const MAX_PATH = 100;
const USE = /\$\{input:([^}]*)\}/g;

/** Returns a file's inputs by ID. Invalid ones, and those that would run a command, are skipped; servers that use them are reported. */
export function readInputs(inputs: unknown, path: string): ReadonlyMap<string, McpInput> {
  const found = new Map<string, McpInput>();
  for (const one of Array.isArray(inputs) ? inputs.slice(0, MAX_INPUTS) : []) {
    const { data } = inputSchema.safeParse(one);
    if (!data || /[{}\p{C}]/u.test(data.id)) continue;
    const { id, description = '', password = false, default: fallback, options = [] } = data;
    const values = options.slice(0, MAX_OPTIONS).map((option) => (typeof option === 'string' ? option : option.value));
    const of = path.replaceAll(/[{}\p{C}]/gu, '').slice(-MAX_PATH);
    found.set(id, {
      id,
      description: safeLine(description, 500),
      isHidden: password,
      options: data.type === 'pickString' ? values : [],
      fallback,
      secret: `input ${id} of ${of}`,
    });
  }
  return found;
}

/** Returns the IDs of the inputs used in the texts, without duplicates. */
export function inputsIn(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(USE)].map(([, id = '']) => id)))];
}
