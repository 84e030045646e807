import * as z from '../../base/zod';
import { isRecord } from '../../base/isRecord';
import { safeLine, safeText } from '../../base/shown/safeText';
import { clipEnd } from '../../base/truncate';
import { DEEPEST } from '../messages/nesting';
import { shallowJson } from '../messages/shallowJson';
import { listPages } from './listPages';
import type { OutputSchema } from './outputSchema';

/** The part of a tool's input schema that models and argument checks rely on. */
const parameters = z.lazy(() =>
  z.looseObject({
    type: z.literal('object'),
    properties: z.optional(z.record(z.string(), z.union([z.record(z.string(), z.unknown()), z.boolean()]))),
    required: z.optional(z.array(z.string())),
  }),
);

/** A tool as the server defines it. */
export interface McpTool {
  /** The server's name for it. */
  name: string;
  /** For the model; untrusted text. */
  description: string;
  parameters: Record<string, unknown>;
  /** The schema of its structured results, as far as it is checked. */
  output?: Record<string, unknown> | undefined;
}

/**
 * The schema of a tool that was read before. Every run with servers parses all of their tools, so they are checked by hand, which
 * takes a tenth of the time.
 */
export const mcpToolSchema = z.custom<McpTool>(
  (one) =>
    isRecord(one) &&
    typeof one['name'] === 'string' &&
    typeof one['description'] === 'string' &&
    areParameters(one['parameters']) &&
    (one['output'] === undefined || isRecord(one['output'])),
);

/** Whether `parameters` accepts it. */
function areParameters(value: unknown): boolean {
  if (!isRecord(value) || value['type'] !== 'object') return false;
  const { properties = {}, required = [] } = value;
  return (
    isRecord(properties) &&
    !Array.isArray(properties) &&
    Object.values(properties).every((one) => typeof one === 'boolean' || (isRecord(one) && !Array.isArray(one))) &&
    Array.isArray(required) &&
    required.every((one) => typeof one === 'string')
  );
}

export interface ToolList {
  tools: readonly McpTool[];
  /** Why some of the server's tools are left out, one sentence each. */
  problems: readonly string[];
}

const listed = z.lazy(() =>
  z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(200)),
    description: z.optional(z.nullable(z.string())),
    inputSchema: parameters,
    outputSchema: z.optional(z.nullable(z.unknown())),
    execution: z.optional(z.looseObject({ taskSupport: z.optional(z.string()) })),
  }),
);

const MAX_TOOLS = 1000;
const MAX_DESCRIPTION = 4000;
/** Maximum size of a schema, in characters of JSON. The largest of well-known servers have a few thousand. */
const MAX_SCHEMA = 30_000;

/**
 * Reads every page of a server's tools. A malformed one is skipped without affecting the others. Rejects with whatever `next`
 * rejects with, or with a message if the response is not a list.
 */
export async function readToolList(next: (cursor: string | undefined) => Promise<unknown>): Promise<ToolList> {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  // Loaded here, so that using tools already known does not load the code that checks results.
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

/** Undefined if the tool cannot be offered to models. */
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

/** Returns why the tool cannot be offered to models; undefined if it can. */
function unfitSchema(schema: object): string | undefined {
  const json = shallowJson(schema);
  if (json === undefined) return `is nested more than ${DEEPEST} levels deep`;
  return json.length > MAX_SCHEMA ? `has ${json.length} characters, more than ${MAX_SCHEMA}` : undefined;
}
