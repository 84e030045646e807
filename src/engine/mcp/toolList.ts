import * as z from '../../base/zod';
import { isRecord } from '../../base/isRecord';
import { safeLine, safeText } from '../../base/shown/safeText';
import { clipEnd } from '../../base/truncate';
import { DEEPEST } from '../messages/nesting';
import { shallowJson } from '../messages/shallowJson';
import { listPages } from './listPages';
import type { OutputSchema } from './outputSchema';

/** What a tool takes, as far as models and the checks of their calls rely on it. */
const parameters = z.looseObject({
  type: z.literal('object'),
  properties: z.optional(z.record(z.string(), z.union([z.record(z.string(), z.unknown()), z.boolean()]))),
  required: z.optional(z.array(z.string())),
});

/** A tool as a server has it. */
export const mcpToolSchema = z.object({
  /** As the server calls it. */
  name: z.string(),
  /** For the model; a stranger's text. */
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).check(z.refine((one) => parameters.safeParse(one).success)),
  /** What its structured results are to fit, as far as that is checked. */
  output: z.optional(z.record(z.string(), z.unknown())),
});
export type McpTool = z.infer<typeof mcpToolSchema>;

export interface ToolList {
  tools: readonly McpTool[];
  /** Why some tools of the server are not among them, a sentence each. */
  problems: readonly string[];
}

const listed = z.looseObject({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  description: z.optional(z.nullable(z.string())),
  inputSchema: parameters,
  outputSchema: z.optional(z.nullable(z.unknown())),
  execution: z.optional(z.looseObject({ taskSupport: z.optional(z.string()) })),
});

const MAX_TOOLS = 1000;
const MAX_DESCRIPTION = 4000;
/** Characters of a schema as JSON; the largest of well-known servers have a few thousand. */
const MAX_SCHEMA = 30_000;

/**
 * Every page of a server's tools, read tool by tool, so that one that is malformed costs that one only. Rejects with what
 * `next` rejects, and with a sentence for what is no list at all.
 */
export async function readToolList(next: (cursor: string | undefined) => Promise<unknown>): Promise<ToolList> {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  // Who only knows tools from before needs nothing that checks results.
  const { readOutputSchema } = await import('./outputSchema');
  for await (const one of listPages('tools', next)) {
    const read = readTool(one, readOutputSchema, (problem) => problems.push(problem));
    if (read && tools.has(read.name))
      problems.push(`It has two tools named “${safeLine(read.name)}”; the first one is used.`);
    else if (read) tools.set(read.name, read);
    if (tools.size >= MAX_TOOLS || problems.length >= MAX_TOOLS) break;
  }
  return { tools: [...tools.values()], problems };
}

/** Undefined when no model can be told of it. */
function readTool(
  value: unknown,
  readOutputSchema: (schema: unknown) => OutputSchema | string,
  onProblem: (problem: string) => void,
): McpTool | undefined {
  const name = isRecord(value) && typeof value['name'] === 'string' ? `“${safeLine(value['name'], 80)}”` : 'one';
  const parsed = listed.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    onProblem(`The tool ${name} is left out: ${place}${issue?.message ?? 'it is malformed'}.`);
    return undefined;
  }
  const { description, inputSchema, outputSchema, execution } = parsed.data;
  if (execution?.taskSupport === 'required') {
    onProblem(`The tool ${name} cannot be called: it works only as a task, which Cairn does not support.`);
    return undefined;
  }
  const unfit = unfitSchema(inputSchema);
  if (unfit !== undefined) {
    onProblem(`The tool ${name} is left out: its schema ${unfit}.`);
    return undefined;
  }
  const output = outputSchema === undefined || outputSchema === null ? undefined : readOutputSchema(outputSchema);
  if (typeof output === 'string')
    onProblem(`Results of the tool ${name} are not checked by its outputSchema: ${output}.`);
  return {
    name: parsed.data.name,
    description: clipEnd(safeText(description ?? ''), MAX_DESCRIPTION),
    parameters: inputSchema,
    ...(typeof output === 'object' && { output }),
  };
}

/** Why no model can be told of it; undefined where one can. */
function unfitSchema(schema: object): string | undefined {
  const json = shallowJson(schema);
  if (json === undefined) return `is nested more than ${DEEPEST} levels deep`;
  return json.length > MAX_SCHEMA ? `has ${json.length} characters, more than ${MAX_SCHEMA}` : undefined;
}

/** For people: “1 tool”, “12 tools”. */
export function toolCount(count: number): string {
  return `${count} ${count === 1 ? 'tool' : 'tools'}`;
}
