import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { DEEPEST, nesting } from '../messages/nesting';
import type { FileChange } from '../permissions/approvalHandler';
import type { PermissionQuery, ToolCategory } from '../permissions/permissionRule';
import type { ToolContext } from './toolContext';
import type { ToolOutput } from './toolOutput';

/** The area that a tool works in. */
export type ToolKind = 'files' | 'shell' | 'web' | 'todos' | 'people' | 'skills' | 'team' | 'mcp' | 'scripts';

/** The part that a tool plays within its kind, where other code depends on it. */
export type ToolRole = 'writes-todos' | 'marks-todos' | 'starts-agents' | 'delegates' | 'sends-messages';

/** Facts about a tool for code that shows, offers or explains tools, so that it needs no list of names. */
export interface ToolTraits {
  readonly kind?: ToolKind;
  readonly roles?: readonly ToolRole[];
  /** Ids of the MCP servers that it gives access to. */
  readonly servers?: readonly string[];
  /** It belongs to the agent that has it, so no list needs to name it. */
  readonly isOwn?: true;
  /** Only available to agents that name it. */
  readonly isOnRequest?: true;
  /** Other tools cover what it does: models only see it if it is named, but its calls always work. */
  readonly isUnlisted?: true;
  /** It comes from the workspace, so it never takes another tool's name. */
  readonly isOfWorkspace?: true;
  /** The chat shows its effect elsewhere; only a failed call gets a line. */
  readonly quiet?: true | undefined;
  /** Its failures are worded by Cairn, and may end with advice that only the model can follow. */
  readonly advises?: true | undefined;
  /** Replaces the first word of its titles while a call is running: "Reading". */
  readonly doing?: string;
  readonly counted?: ToolCounting;
}

const WORDS = ['content', 'text', 'title', 'todo', 'task', 'step', 'description'];

type Issue = z.core.$ZodIssue;

/** Something that the model may call. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: what it does, when to use it, what its limits are. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly traits?: ToolTraits | undefined;
  /** Calls of it in one answer are independent and run at the same time. Default: true for tools that only read. */
  readonly concurrent?: boolean;
  /** Its calls wait for something external, so repeating the same call can be right. */
  readonly waits?: boolean;
  /** Milliseconds after which a call is stopped; unlimited if absent. */
  readonly timeoutMs?: number;
  readonly input: z.ZodMiniType<Input>;
  /** One line for cards and prompts: "Read src/date.ts 1–40". */
  title(input: Input): string;
  /** Returns what it would touch; pure. */
  permission(input: Input): PermissionQuery;
  /** Computes what it would change, before anyone is asked. Only reads; throws like `run`. */
  preview?(input: Input, context: ToolContext): Promise<FileChange>;
  /** Returns the absolute paths of files that it would change, for a tool without a preview; they are saved before it runs. */
  touches?(input: Input, context: ToolContext): Promise<readonly string[]>;
  /** Runs the tool. On failure, throws ToolFailure or EngineError, worded for the model; AbortError if canceled. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

/** A tool with any input, as stored in a registry: its input is parsed before anything else of it is called. */
export interface AnyTool extends Omit<Tool, 'title' | 'permission' | 'preview' | 'touches' | 'run'> {
  /** The JSON Schema that models see instead of that of `input`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Cairn's name for it, if it is offered under another one, such as OpenCode's. */
  readonly ownName?: string;
  /** Validates what the model sent and binds the tool to it. */
  bind(input: unknown): { ok: true; call: BoundCall } | { ok: false; issues: string };
}

/** A tool with the input of one call. */
export interface BoundCall {
  readonly title: string;
  /** As the tool takes it, whatever names the model used for its properties. */
  readonly input: unknown;
  readonly permission: PermissionQuery;
  /** Its result is sent to the run, from the moment the call counts as started. */
  readonly answersLater?: boolean;
  preview?(context: ToolContext): Promise<FileChange>;
  touches(context: ToolContext): Promise<readonly string[]>;
  run(context: ToolContext): Promise<ToolOutput>;
}

/** Prepares a tool for a registry; the only place where the type of its input is erased. */
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

/** Marks a tool whose failures Cairn words. */
export function advising(tool: AnyTool): AnyTool {
  return { ...tool, traits: { ...tool.traits, advises: true } };
}

/** Parses the input as sent, otherwise as it was probably meant; errors always refer to what was sent. */
function parseInput<Input>(schema: z.ZodMiniType<Input>, value: unknown): z.util.SafeParseResult<Input> {
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

function keysOf(schema: z.ZodMiniType): { key: string; isOptional: boolean }[] {
  if (!(schema instanceof z.AnyObject)) return [];
  return Object.entries(schema._zod.def.shape).map(([key, one]) => ({
    key,
    isOptional: one instanceof z.ZodMiniType && one.safeParse(undefined).success,
  }));
}

function previewOf<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<FileChange> {
  if (!tool.preview) throw new Error(`${tool.name} has no preview`);
  return tool.preview(input, context);
}

/** Describes what is wrong and what would be right, in the model's terms: `it needs path; file is unknown. It takes path, offset?`. */
function issueText(error: z.SchemaError, schema: z.ZodMiniType, sent: unknown): string {
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

/**
 * Corrects values of the wrong type where the intention is unambiguous: a number as a string or vice versa, a list as JSON in a
 * string, null for an omitted value. Returns undefined if nothing can be corrected.
 */
function meantInput(input: unknown, issues: readonly Issue[]): unknown {
  if (!isRecord(input)) return undefined;
  const copy: unknown = structuredClone(input);
  const mended = issues.filter((issue) => issue.code === 'invalid_type' && mend(copy, issue.path, issue.expected));
  return mended.length > 0 ? copy : undefined;
}

/** Returns true if the value was replaced or removed. */
function mend(root: unknown, path: readonly PropertyKey[], expected: string): boolean {
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), root);
  const key = path.at(-1);
  if (!isRecord(owner) || key === undefined) return false;
  const value = owner[String(key)];
  if (value === null) return Reflect.deleteProperty(owner, key);
  const meant = meantValue(value, expected, Array.isArray(owner));
  return meant !== undefined && Reflect.set(owner, key, meant);
}

function meantValue(value: unknown, expected: string, isItem: boolean): unknown {
  if (expected === 'string') return typeof value === 'number' ? String(value) : isItem ? wordsOf(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (expected === 'number' || expected === 'int') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return expected === 'array' || expected === 'object' ? parsed(text) : undefined;
}

/** Returns just the text of a step that was sent as an object, as other tools expect it. */
function wordsOf(value: unknown): string | undefined {
  if (!isRecord(value) || Array.isArray(value)) return undefined;
  const words = WORDS.map((key) => value[key]).filter((one) => typeof one === 'string' && one !== '');
  return typeof words[0] === 'string' ? words[0] : undefined;
}

function parsed(text: string): unknown {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Determines how several calls are summarized in one line: "Read 4 files, searched twice". */
type ToolCounting = 'file' | 'search' | 'list' | 'page' | 'other';

/** Whether a third-party tool may have this name. */
export function isToolName(name: string): boolean {
  return /^[A-Za-z][\w-]{0,63}$/.test(name);
}

/** Cairn's parameters, and what models trained on other tools call them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  path: [
    'file_path',
    'filepath',
    'filename',
    'file',
    'target_file',
    'directory',
    'dir',
    'dir_path',
    'folder',
    'absolute_path',
  ],
  contents: ['content', 'text', 'file_text', 'data', 'body', 'patch', 'diff', 'input'],
  old_string: ['old_str', 'old_text', 'old', 'search'],
  new_string: ['new_str', 'new_text', 'new', 'replace', 'replacement'],
  replace_all: ['all'],
  offset: ['start_line', 'line_start', 'start', 'line'],
  limit: ['max_lines', 'num_lines', 'line_count', 'lines'],
  pattern: ['query', 'regex', 'glob', 'glob_pattern', 'search_pattern', 'q'],
  include: ['file_pattern', 'include_pattern', 'files'],
  command: ['cmd', 'script', 'command_line'],
  background: ['run_in_background', 'is_background'],
  timeout_seconds: ['timeout', 'timeout_ms', 'timeout_sec'],
  url: ['uri', 'link', 'address'],
  todos: ['items', 'tasks', 'steps', 'todo_list', 'plan'],
  todo: ['text', 'content', 'task', 'item', 'description'],
  id: ['todo', 'task_id', 'todo_id', 'index', 'command_id'],
  question: ['prompt', 'text', 'message'],
  name: ['skill', 'skill_name'],
  agent: ['subagent_type', 'agent_name', 'agent_type'],
  prompt: ['task', 'message', 'instructions'],
};

/** No command takes this many seconds, so the value was meant in milliseconds. */
const MOST_SECONDS = 1800;

/**
 * Renames parameters to Cairn's names where that is unambiguous: the tool has Cairn's parameter and not the other one, and
 * Cairn's was not given. Returns the same object if there is nothing to rename.
 */
function meantKeys(input: unknown, taken: readonly string[]): unknown {
  if (!isRecord(input) || Array.isArray(input)) return input;
  const given: Record<string, unknown> = { ...input };
  let isChanged = false;
  for (const key of taken) {
    if (given[key] !== undefined) continue;
    const known = [key, ...(Object.hasOwn(SYNONYMS, key) ? (SYNONYMS[key] ?? []) : [])].map(plain);
    const other = Object.keys(given).find((one) => !taken.includes(one) && known.includes(plain(one)));
    if (other === undefined) continue;
    given[key] = key === 'timeout_seconds' ? inSeconds(given[other], other) : given[other];
    Reflect.deleteProperty(given, other);
    isChanged = true;
  }
  return isChanged ? given : input;
}

/** Makes `filePath`, `file-path` and `file_path` equal. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function inSeconds(value: unknown, name: string): unknown {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return value;
  return /ms$/i.test(name) || number > MOST_SECONDS ? Math.max(1, Math.round(number / 1000)) : number;
}
