import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { isRecord } from '../../../base/isRecord';
import { truncateMiddle } from '../../../base/truncate';
import * as z from '../../../base/zod';
import { callable, checkPlugin, fields } from '../../checkPlugin';
import { imageSchema } from '../../messages/attachment';
import { toolDetailSchema } from '../../messages/toolCall';
import { type PermissionQuery, TOOL_CATEGORIES, type ToolCategory } from '../../permissions/permissionRule';
import type { HiddenContext } from '../hiddenContext';
import type { AnyTool, BoundCall } from '../tool';
import type { ToolContext } from '../toolContext';
import { ToolFailure, type ToolOutput } from '../toolOutput';
import { checkArguments, type JsonSchema, sentKeys } from './checkArguments';

/** The arguments of a call, validated against the tool's schema. */
export type PluginInput = Readonly<Record<string, unknown>>;

/** The part of a tool's context that third-party tools receive. */
export type PluginToolContext = Pick<
  ToolContext,
  keyof HiddenContext | 'signal' | 'workspace' | 'sessionId' | 'agent' | 'callId' | 'report' | 'ask' | 'saveOutput'
>;

/** A tool that another extension or program provides. */
export interface PluginTool {
  /** Letters, digits, `_` and `-`, with a distinctive prefix: `acme_lookup`. */
  name: string;
  /** For the model: what it does, when to use it, what its limits are. */
  description: string;
  /** The kind of effect it has; together with the user's rules, decides whether the user is asked. */
  category: ToolCategory;
  /** A JSON Schema of type object. */
  inputSchema: JsonSchema;
  /** One line for cards and prompts; default: the name. */
  title?(input: PluginInput): string;
  /**
   * Returns what a call would touch, so that rules about paths, commands and hosts apply to it. Pure. If an agent's permissions
   * contain a pattern for the tool, such as `acme_delete: { "prod*": deny }`, it is matched against these and against `subjects`,
   * which name anything else that a call is about. If none of them is given, every string and number in the arguments is a
   * subject. To allow a call, the pattern must match all of its subjects; to ask or deny, one is enough. So name what matters.
   */
  permission?(input: PluginInput): Pick<PermissionQuery, 'paths' | 'command' | 'host' | 'subjects'>;
  /** Returns the absolute paths of the files that it would change; they are saved before it runs and can be restored. */
  touches?(input: PluginInput, context: PluginToolContext): Promise<readonly string[]>;
  /** Milliseconds after which a call is stopped and the model informed. Default: ten minutes; Infinity: never. */
  timeoutMs?: number;
  /**
   * `run` only starts it and returns nothing: the call stays open until its result is passed to the run's `sendToolResult`, with
   * the `callId` of the context. Until then it can be stopped, and its timeout applies.
   */
  answersLater?: boolean;
  /**
   * Runs the tool and returns the result for the model; nothing if it `answersLater`. Must end soon after `context.signal`
   * aborts. What it throws is reported to the model.
   */
  run(input: PluginInput, context: PluginToolContext): Promise<string | ToolOutput | undefined>;
}

/** Long enough for anything that does not wait forever. */
const USUAL_TIMEOUT_MS = 600_000;

/** Longer text is cut for the model and saved in full to a file. */
const MAX_TEXT = 30_000;

const anyInput = z.record(z.string(), z.unknown());

export const timeoutSchema = z.custom<number>(
  (value) => typeof value === 'number' && value > 0,
  'expected a number above 0',
);

const toolSchema = z.lazy(() =>
  fields({
    name: z.string(),
    description: z.string(),
    category: z.enum(TOOL_CATEGORIES),
    inputSchema: z.object({
      type: z.literal('object'),
      properties: z.optional(z.record(z.string(), z.union([z.record(z.string(), z.unknown()), z.boolean()]))),
      required: z.optional(z.array(z.string())),
    }),
    timeoutMs: z.optional(timeoutSchema),
    answersLater: z.optional(z.boolean()),
    title: z.optional(callable),
    permission: z.optional(callable),
    touches: z.optional(callable),
    run: callable,
  }),
);

const outputSchema = z.lazy(() =>
  z.object({
    text: z.string(),
    images: z.optional(z.array(imageSchema)),
    detail: z.optional(toolDetailSchema),
  }),
);

const touchedSchema = z.lazy(() =>
  z.strictObject({
    paths: z.optional(z.array(z.string())),
    command: z.optional(z.string()),
    host: z.optional(z.string()),
    subjects: z.optional(z.array(z.string())),
    removes: z.optional(z.literal(true)),
    unseen: z.optional(z.object({ why: z.string(), text: z.string() })),
  }),
);

/** Returns the tool in the engine's own form. Throws EngineError `invalid-input` if a field is invalid. */
export function pluginTool(tool: PluginTool): AnyTool {
  checkPlugin('tool', tool, toolSchema);
  const { name, description, category, inputSchema, timeoutMs = USUAL_TIMEOUT_MS } = tool;
  const keys = sentKeys(inputSchema);
  return {
    timeoutMs,
    name,
    description,
    category,
    concurrent: category === 'read',
    input: anyInput,
    parameters: inputSchema,
    bind(value) {
      const input = anyInput.safeParse(value);
      if (!input.success) return { ok: false, issues: 'input: expected object' };
      const given = withOwnKeys(input.data, keys);
      const issues = checkArguments(given, inputSchema).map((issue) => withSentKey(issue, keys));
      if (issues.length > 0) return { ok: false, issues: issues.join('; ') };
      try {
        return { ok: true, call: boundCall(tool, given) };
      } catch (error) {
        return { ok: false, issues: errorText(error) };
      }
    },
  };
}

function withOwnKeys(input: PluginInput, keys: ReadonlyMap<string, string>): PluginInput {
  if (keys.size === 0) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [keys.get(key) ?? key, value]));
}

/** Names the argument as the model knows it. */
function withSentKey(issue: string, keys: ReadonlyMap<string, string>): string {
  const found = [...keys].find(([, own]) => issue.startsWith(own));
  return found ? `${found[0]}${issue.slice(found[1].length)}` : issue;
}

function boundCall(tool: PluginTool, input: PluginInput): BoundCall {
  const { name, category } = tool;
  return {
    title: tool.title?.(input) ?? name,
    input,
    permission: { ...whatItTouches(tool, input), tool: name, category },
    ...(tool.answersLater && { answersLater: true }),
    touches: async (context) => (await tool.touches?.(input, context)) ?? [],
    run: async (context) => {
      const begin = () => runIt(tool, input, context);
      const output = tool.answersLater ? await context.untilSent(begin, context.signal) : await begin();
      if (!output) throw new ToolFailure('failed', `The tool ${name} returned no result. Try another way.`);
      return shortenedOutput(output, context);
    },
  };
}

function whatItTouches(tool: PluginTool, input: PluginInput): Omit<PermissionQuery, 'tool' | 'category'> {
  const { paths = [], command, host, subjects = [], removes, unseen } = touchedBy(tool, input);
  const says = paths.length > 0 || subjects.length > 0 || command !== undefined || host !== undefined;
  return {
    paths,
    subjects: says ? subjects : textsIn(input),
    ...(command !== undefined && { command }),
    ...(host !== undefined && { host }),
    ...(removes && { removes }),
    ...(unseen && { unseen }),
  };
}

/** Rules only see what is declared here, so a declaration that cannot be read must not count as touching nothing. */
function touchedBy(tool: PluginTool, input: PluginInput): z.infer<typeof touchedSchema> {
  const given: unknown = tool.permission?.(input) ?? {};
  if (given instanceof Promise) {
    given.catch(() => undefined);
    throw new TypeError(
      `the permission of ${tool.name} returned a promise; it must say synchronously what a call would touch`,
    );
  }
  const { data, error } = touchedSchema.safeParse(given);
  if (data) return data;
  throw new TypeError(`what the permission of ${tool.name} gives does not fit: ${z.misfit(error)}`);
}

/** Returns every string and number in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** If the tool aborted on its own, the user did not cancel it. */
async function runIt(tool: PluginTool, input: PluginInput, context: ToolContext): Promise<ToolOutput | undefined> {
  try {
    const output = await tool.run(input, context);
    return typeof output === 'string' ? { text: output } : output;
  } catch (error) {
    if (!isAbort(error) || context.signal.aborted) throw error;
    throw new ToolFailure('failed', `The tool ${tool.name} gave up: ${errorText(error)}. Try another way.`);
  }
}

/** Cuts a text that is too long for a model, and saves all of it to a file. */
export async function shortenedOutput(output: ToolOutput, context: ToolContext): Promise<ToolOutput> {
  const { error } = outputSchema.safeParse(output);
  // If stored with the session, it could not be loaded again, or no model would accept the conversation any more.
  if (error) throw new ToolFailure('failed', `Its result is not valid: ${z.misfit(error)}. Try another way.`);
  const { text, detail = { kind: 'text' as const, text } } = output;
  if (text.length <= MAX_TEXT) return { ...output, detail };
  const path = await context.saveOutput(text);
  const cut = `${truncateMiddle(text, MAX_TEXT).text}\n\nThe whole output is in ${path}.`;
  return { ...output, text: cut, detail: output.detail ?? { kind: 'text', text: cut } };
}

/** One call of a wrapped tool, after it was allowed. */
export interface WrappedCall {
  readonly tool: string;
  /** As the tool takes it, and as it was judged. */
  readonly input: unknown;
  readonly context: PluginToolContext;
  /** Runs the wrapped tool. Rejects like the tool. */
  readonly next: () => Promise<ToolOutput>;
}

/**
 * Wraps each call of a tool: it may do something before and after, call `next` again, return a different output, or return one
 * without calling `next`. What it throws is reported to the model like an error of the tool. It cannot change the call's input,
 * what the call would touch, or whether the user is asked.
 */
export type ToolWrapper = (call: WrappedCall) => Promise<string | ToolOutput>;

/** `isThere`: returns false once the wrapper was removed, also in runs that know it. */
export function wrappedTool(tool: AnyTool, wrapper: ToolWrapper, isThere: () => boolean): AnyTool {
  return {
    ...tool,
    bind(input) {
      const bound = tool.bind(input);
      if (!bound.ok || !isThere()) return bound;
      const { call } = bound;
      return { ok: true, call: { ...call, run: (context) => around(tool.name, call, wrapper, context) } };
    },
  };
}

async function around(tool: string, call: BoundCall, wrapper: ToolWrapper, context: ToolContext): Promise<ToolOutput> {
  let own: ToolOutput | undefined;
  const next = async () => (own = await call.run(context));
  const given = await wrapper({ tool, input: call.input, context, next });
  // The tool itself has cut it, and said where to find all of it.
  if (own && given === own) return own;
  if (!isOutput(given)) {
    throw new ToolFailure('failed', `The wrapper of ${tool} returned no result. Try another way.`);
  }
  return shortenedOutput(typeof given === 'string' ? { text: given } : given, context);
}

/** Plain JavaScript may return anything. */
function isOutput(value: unknown): boolean {
  return typeof value === 'string' || (isRecord(value) && typeof value['text'] === 'string');
}
