import * as z from '../../../base/zod';
import { isRecord } from '../../../base/isRecord';
import { safeLine, safeText } from '../../../base/shown/safeText';
import { clipEnd } from '../../../base/truncate';
import { listPages } from '../listPages';

const argumentSchema = z.object({
  /** The server's name for it. */
  name: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
});

/** A message that a server writes on the user's request. */
export const mcpPromptSchema = z.object({
  /** The server's name for it. */
  name: z.string(),
  /** Shown to the user; untrusted text. */
  description: z.string(),
  arguments: z.array(argumentSchema),
});
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

const MAX_PROMPTS = 500;
const MAX_ARGUMENTS = 20;
const MAX_DESCRIPTION = 500;

const listed = z.lazy(() => {
  const words = z.optional(z.nullable(z.string()));
  const name = z.string().check(z.minLength(1), z.maxLength(100));
  const argument = z.looseObject({ name, description: words, required: z.optional(z.nullable(z.boolean())) });
  return z.looseObject({
    name,
    title: words,
    description: words,
    arguments: z.optional(z.nullable(z.array(argument).check(z.maxLength(MAX_ARGUMENTS)))),
  });
});

/** Reads every page of a server's prompts. A malformed one is skipped without affecting the others. */
export async function readPromptList(
  next: (cursor: string | undefined) => Promise<unknown>,
): Promise<{ prompts: readonly McpPrompt[]; problems: readonly string[] }> {
  const prompts = new Map<string, McpPrompt>();
  const problems: string[] = [];
  for await (const one of listPages('prompts', next)) {
    const read = readPrompt(one);
    if (typeof read === 'string') problems.push(read);
    else if (!prompts.has(read.name)) prompts.set(read.name, read);
    if (prompts.size >= MAX_PROMPTS || problems.length >= MAX_PROMPTS) break;
  }
  return { prompts: [...prompts.values()], problems };
}

/** Returns a sentence if the prompt is unusable. */
function readPrompt(value: unknown): McpPrompt | string {
  const { data, error } = listed.safeParse(value);
  if (!data) {
    const name = isRecord(value) && typeof value['name'] === 'string' ? `“${safeLine(value['name'], 80)}”` : 'one';
    const [issue] = error.issues;
    const why = [...(issue?.path ?? []), issue?.message ?? 'it is malformed'].join(': ');
    return `The prompt ${name} is left out: ${why}.`;
  }
  return {
    name: data.name,
    description: told(data.description ?? data.title),
    arguments: (data.arguments ?? []).map(({ name, description, required }) => ({
      name,
      description: told(description),
      isRequired: required === true,
    })),
  };
}

function told(text: string | null | undefined): string {
  return clipEnd(safeText(text ?? ''), MAX_DESCRIPTION);
}
