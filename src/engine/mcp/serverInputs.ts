import * as z from '../../base/zod';
import { safeLine } from '../../base/shown/safeText';

/** A value that a file of servers has the person asked for. */
export interface McpInput {
  /** As `${input:ID}` in launches. */
  readonly id: string;
  /** In the words of the file. */
  readonly description: string;
  readonly isHidden: boolean;
  /** Empty: any value. */
  readonly options: readonly string[];
  readonly fallback: string | undefined;
  /** The name of the secret that keeps what the person gave: of this file alone. */
  readonly secret: string;
}

const inputSchema = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(80)),
  type: z.enum(['promptString', 'pickString']),
  description: z.optional(z.string()),
  password: z.optional(z.boolean()),
  default: z.optional(z.string()),
  options: z.optional(z.array(z.union([z.string(), z.looseObject({ value: z.string() })]))),
});

const MAX_INPUTS = 50;
const MAX_OPTIONS = 100;
/** Longer ones are no name of a secret. */
const MAX_PATH = 100;
const USE = /\$\{input:([^}]*)\}/g;

/** Those of a file by their ids. What is no such thing, or would run a command, is passed over: who wants its value is told. */
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

/** The ids of the inputs that texts want, each once. */
export function inputsIn(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(USE)].map(([, id = '']) => id)))];
}
