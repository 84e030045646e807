import * as z from 'zod';
import { isRecord } from '../../base/isRecord';
import type { FileChange } from '../permissions/approvalHandler';
import type { PermissionQuery, ToolCategory } from '../permissions/permissionRule';
import { meantInput } from './meantInput';
import { meantKeys } from './meantKeys';
import type { ToolContext } from './toolContext';
import type { ToolOutput } from './toolOutput';
import type { ToolTraits } from './toolTraits';

/** Something the model may call. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: what it does, when to use it, what its limits are. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly traits?: ToolTraits | undefined;
  /** Calls of it in one answer do not depend on each other, and wait together. Always so of what only reads. */
  readonly concurrent?: boolean;
  /** Its calls wait for something that happens meanwhile, so the same call may be right again. */
  readonly waits?: boolean;
  /** A call is stopped after so many milliseconds; absent: it may take as long as it wants. */
  readonly timeoutMs?: number;
  readonly input: z.ZodType<Input>;
  /** One line for cards and prompts: "Read src/date.ts 1–40". */
  title(input: Input): string;
  /** What it would touch; pure. */
  permission(input: Input): PermissionQuery;
  /** What it would change, computed before anyone is asked. Reads only; throws like `run`. */
  preview?(input: Input, context: ToolContext): Promise<FileChange>;
  /** The absolute paths of files that it would change, for a tool without a preview; they are kept before it runs. */
  touches?(input: Input, context: ToolContext): Promise<readonly string[]>;
  /** Does it. Throws ToolFailure or EngineError when it cannot, in words for the model; AbortError when cancelled. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

/** A tool of any input, as a registry holds it: its input is parsed before anything of it is called. */
export interface AnyTool extends Omit<Tool, 'title' | 'permission' | 'preview' | 'touches' | 'run'> {
  /** The JSON Schema that models are told instead of that of `input`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Our name of it, where it is offered under that of another world. */
  readonly ownName?: string;
  /** Checks what the model sent and binds the tool to it. */
  bind(input: unknown): { ok: true; call: BoundCall } | { ok: false; issues: string };
}

/** A tool with the input of one call. */
export interface BoundCall {
  readonly title: string;
  /** As the tool takes it, whatever names the model gave its parts. */
  readonly input: unknown;
  readonly permission: PermissionQuery;
  preview?(context: ToolContext): Promise<FileChange>;
  touches(context: ToolContext): Promise<readonly string[]>;
  run(context: ToolContext): Promise<ToolOutput>;
}

/** Makes a tool ready for a registry; the only place where the type of its input is forgotten. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  const { name, description, category, input: schema } = tool;
  return {
    name,
    description,
    category,
    concurrent: tool.concurrent ?? category === 'read',
    ...(tool.traits && { traits: tool.traits }),
    ...(tool.waits && { waits: true }),
    ...(tool.timeoutMs !== undefined && { timeoutMs: tool.timeoutMs }),
    input: schema,
    bind(value) {
      const parsed = parseInput(schema, value);
      if (!parsed.success) return { ok: false, issues: issueText(parsed.error, schema, value) };
      const input = parsed.data;
      return {
        ok: true,
        call: {
          title: tool.title(input),
          input,
          permission: tool.permission(input),
          ...(tool.preview && { preview: (context) => previewOf(tool, input, context) }),
          touches: async (context) => (await tool.touches?.(input, context)) ?? [],
          run: (context) => tool.run(input, context),
        },
      };
    },
  };
}

/** As it was sent, else as it was meant; what is wrong is said of what was sent. */
function parseInput<Input>(schema: z.ZodType<Input>, value: unknown): z.ZodSafeParseResult<Input> {
  const sent = schema.safeParse(value);
  if (sent.success) return sent;
  const named = meantKeys(
    value,
    keysOf(schema).map(({ key }) => key),
  );
  const renamed = named === value ? sent : schema.safeParse(named);
  if (renamed.success) return renamed;
  const meant = schema.safeParse(meantInput(named, renamed.error.issues));
  return meant.success ? meant : sent;
}

function keysOf(schema: z.ZodType): { key: string; isOptional: boolean }[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([key, one]) => ({
    key,
    isOptional: one instanceof z.ZodType && one.safeParse(undefined).success,
  }));
}

function previewOf<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<FileChange> {
  if (!tool.preview) throw new Error(`${tool.name} has no preview`);
  return tool.preview(input, context);
}

/** What is wrong and what would be right, in the model's terms: `it needs path; file is unknown. It takes path, offset?`. */
function issueText(error: z.ZodError, schema: z.ZodType, sent: unknown): string {
  const wrong = error.issues.map((issue) => {
    const place = issue.path.join('.');
    if (issue.code === 'unrecognized_keys')
      return `${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')} is unknown`;
    if (issue.code === 'invalid_type' && place !== '' && valueAt(sent, issue.path) === undefined)
      return `it needs ${place}`;
    return `${place === '' ? 'they' : place}: ${issue.message}`;
  });
  const keys = keysOf(schema).map(({ key, isOptional }) => (isOptional ? `${key}?` : key));
  const takes = keys.length > 0 ? ` It takes ${keys.join(', ')}` : '';
  return `${wrong.join('; ')}.${takes}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), root);
}
