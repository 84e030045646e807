import { isRecord } from '../../base/isRecord';
import { safeLine, safeText } from '../../base/shown/safeText';
import { clipEnd } from '../../base/truncate';
import * as z from '../../base/zod';
import { DEEPEST, shallowJson } from '../messages/nesting';
import type { OutputSchema } from './outputSchema';

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

/** The schema of tools that were read before. Every run with servers parses all of their tools, so it does no more than this. */
export const mcpToolsSchema = z.custom<readonly McpTool[]>((all) => Array.isArray(all) && all.every(isTool));

function isTool(one: unknown): boolean {
  return (
    isObject(one) &&
    typeof one['name'] === 'string' &&
    typeof one['description'] === 'string' &&
    isObject(one['parameters']) &&
    flawOf(one['parameters']) === undefined &&
    (one['output'] === undefined || isObject(one['output']))
  );
}

/**
 * Returns what is wrong with the part of a tool's input schema that models and argument checks rely on: where, and what belongs
 * there. Written by hand, because a zod schema takes twenty times as long.
 */
function flawOf({ type, properties = {}, required = [] }: Record<string, unknown>): string | undefined {
  if (type !== 'object') return '.type: must be “object”';
  if (!isObject(properties) || !Object.values(properties).every((one) => typeof one === 'boolean' || isObject(one)))
    return '.properties: must map names to schemas';
  const areNames = Array.isArray(required) && required.every((one) => typeof one === 'string');
  return areNames ? undefined : '.required: must be a list of names';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !Array.isArray(value);
}

interface ToolList {
  tools: readonly McpTool[];
  /** Why some of the server's tools are left out, one sentence each. */
  problems: readonly string[];
}

const listedTool = z.lazy(() =>
  z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(200)),
    description: z.optional(z.nullable(z.string())),
    inputSchema: z.custom<Record<string, unknown>>(isObject, 'must be an object'),
    outputSchema: z.optional(z.nullable(z.unknown())),
    execution: z.optional(z.looseObject({ taskSupport: z.optional(z.string()) })),
  }),
);

const MAX_TOOLS = 1000;
const MAX_TOOL_DESCRIPTION = 4000;
/** Maximum size of a schema, in characters of JSON. The largest of well-known servers have a few thousand. */
const MAX_SCHEMA = 30_000;

/**
 * Reads every page of a server's tools. A malformed one, and with `sendsHeaders` one that declares headers wrongly, is skipped
 * without affecting the others. Rejects with whatever `next`
 * rejects with, or with a message if the response is not a list.
 */
export async function readToolList(
  next: (cursor: string | undefined) => Promise<unknown>,
  sendsHeaders = false,
): Promise<ToolList> {
  const tools = new Map<string, McpTool>();
  const problems: string[] = [];
  // Loaded here, so that using tools already known does not load the code that checks results.
  const [{ readOutputSchema }, headers] = await Promise.all([
    import('./outputSchema'),
    sendsHeaders ? import('./headerParameters') : undefined,
  ]);
  const reading = { readOutputSchema, headerFlaw: headers?.headerFlaw };
  for await (const one of listPages('tools', next)) {
    const read = readTool(one, reading, (problem) => problems.push(problem));
    if (read && tools.has(read.name))
      problems.push(`It has two tools named “${safeLine(read.name)}”; the first one is used.`);
    else if (read) tools.set(read.name, read);
    if (tools.size >= MAX_TOOLS || problems.length >= MAX_TOOLS) break;
  }
  return { tools: [...tools.values()], problems };
}

interface ReadingTools {
  readOutputSchema: (schema: unknown) => OutputSchema | string;
  headerFlaw: ((schema: Record<string, unknown>) => string | undefined) | undefined;
}

/** Undefined if the tool cannot be offered to models. */
function readTool(
  value: unknown,
  { readOutputSchema, headerFlaw }: ReadingTools,
  onProblem: (problem: string) => void,
): McpTool | undefined {
  const name = isRecord(value) && typeof value['name'] === 'string' ? `“${safeLine(value['name'], 80)}”` : 'one';
  const parsed = listedTool.safeParse(value);
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
  const flaw = flawOf(inputSchema);
  if (flaw !== undefined) {
    onProblem(`The tool ${name} is left out: inputSchema${flaw}.`);
    return undefined;
  }
  const unfit = unfitSchema(inputSchema);
  if (unfit !== undefined) {
    onProblem(`The tool ${name} is left out: its schema ${unfit}.`);
    return undefined;
  }
  const misdeclared = headerFlaw?.(inputSchema);
  if (misdeclared !== undefined) {
    onProblem(`The tool ${name} is left out: inputSchema${safeLine(misdeclared)}.`);
    return undefined;
  }
  const output = outputSchema === undefined || outputSchema === null ? undefined : readOutputSchema(outputSchema);
  if (typeof output === 'string')
    onProblem(`Results of the tool ${name} are not checked by its outputSchema: ${output}.`);
  return {
    name: parsed.data.name,
    description: clipEnd(safeText(description ?? ''), MAX_TOOL_DESCRIPTION),
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

/** A message that a server writes on the user's request. */
export const mcpPromptSchema = z.lazy(() => {
  // The name is the server's own.
  const argument = z.object({ name: z.string(), description: z.string(), isRequired: z.boolean() });
  return z.object({
    /** The server's name for it. */
    name: z.string(),
    /** Shown to the user; untrusted text. */
    description: z.string(),
    arguments: z.array(argument),
  });
});
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

const MAX_PROMPTS = 500;
const MAX_ARGUMENTS = 20;
const MAX_DESCRIPTION = 500;

const listedPrompt = z.lazy(() => {
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
  const { data, error } = listedPrompt.safeParse(value);
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

/** A resource that a server offers. */
export const mcpResourceSchema = z.lazy(() =>
  z.object({
    /** The server's URI; for a template with its variables, such as `notes://{day}`. */
    uri: z.string(),
    /** For users and models; untrusted text, on one line. */
    name: z.string(),
    description: z.string(),
    /** Empty if the server does not specify it. */
    mediaType: z.string(),
    /** Whether the URI has variables that need values. */
    isTemplate: z.boolean(),
  }),
);
export type McpResource = z.infer<typeof mcpResourceSchema>;

const MAX_RESOURCES = 1000;
const MAX_URI = 2000;
const MAX_NAME = 200;
const listedResource = z.lazy(() => {
  const words = z.optional(z.nullable(z.string()));
  return z.looseObject({
    uri: z.optional(z.string()),
    uriTemplate: z.optional(z.string()),
    name: words,
    title: words,
    description: words,
    mimeType: words,
  });
});

type NextPage = (cursor: string | undefined) => Promise<unknown>;

/** Reads every page of a server's resources or templates. A malformed one is skipped without affecting the others. */
export async function readResourceList(
  key: 'resources' | 'resourceTemplates',
  next: NextPage,
): Promise<{ resources: readonly McpResource[]; problems: readonly string[] }> {
  const resources = new Map<string, McpResource>();
  const problems: string[] = [];
  for await (const one of listPages(key, next)) {
    const read = readResource(one, key === 'resourceTemplates');
    if (typeof read === 'string') problems.push(read);
    else if (!resources.has(read.uri)) resources.set(read.uri, read);
    if (resources.size >= MAX_RESOURCES || problems.length >= MAX_RESOURCES) break;
  }
  return { resources: [...resources.values()], problems };
}

/** Returns a sentence if the resource is unusable. */
function readResource(value: unknown, isTemplate: boolean): McpResource | string {
  const { data } = listedResource.safeParse(value);
  const uri = (isTemplate ? data?.uriTemplate : data?.uri) ?? '';
  const name = data ? `“${safeLine(data.title ?? data.name ?? uri, 80)}”` : nameIn(value);
  if (!data) return `The resource ${name} is left out: it is malformed.`;
  if (uri === '') return `The resource ${name} is left out: it has no address.`;
  if (uri.length > MAX_URI) return `The resource ${name} is left out: its address has ${uri.length} characters.`;
  if (/[\n\t]/.test(uri) || safeText(uri) !== uri) {
    return `The resource ${name} is left out: its address contains invisible characters.`;
  }
  return {
    uri,
    isTemplate,
    name: safeLine(data.title ?? data.name ?? uri, MAX_NAME) || safeLine(uri, MAX_NAME),
    description: clipEnd(safeText(data.description ?? ''), MAX_DESCRIPTION),
    mediaType: safeLine(data.mimeType ?? '', 100),
  };
}

function nameIn(value: unknown): string {
  return isRecord(value) && typeof value['name'] === 'string' ? `“${safeLine(value['name'], 80)}”` : 'one';
}

const MAX_PAGES = 100;

/**
 * Yields every item of a paginated list, unchanged. Stops early if the server repeats a cursor. Rejects with whatever `next`
 * rejects with, or with a message if the response is not a list.
 */
async function* listPages(
  key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts',
  next: (cursor: string | undefined) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.optional(z.nullable(z.string())) });
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { data } = page.safeParse(await next(cursor));
    const items = data?.[key];
    if (!data || !Array.isArray(items)) throw new Error(`It did not send a list of ${NAMES[key]}.`);
    yield* items;
    const { nextCursor } = data;
    if (typeof nextCursor !== 'string' || nextCursor === '' || seen.has(nextCursor)) return;
    cursor = nextCursor;
    seen.add(cursor);
  }
}

const NAMES = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  prompts: 'prompts',
} as const;
