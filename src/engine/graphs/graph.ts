import { counted } from '../../base/counted';
import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import type { Effort } from '../llm/model';
import { DEEPEST, nesting } from '../messages/nesting';
import type { RunLimits } from '../run/stopConditions';
import type { JsonValue } from '../tools/hiddenContext';

export type { JsonValue } from '../tools/hiddenContext';
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** How several values written to one key are combined. */
export const REDUCERS = ['append', 'extend', 'concat', 'sum', 'max', 'min', 'merge', 'overwrite'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** The last one is Cairn's addition in version 1.1. */
export const NODE_TYPES = ['script', 'llm', 'agent', 'rag', 'map', 'input', 'approval', 'end', 'command'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** `1.1` includes Cairn's additions to the original format. */
export const GRAPH_VERSIONS = ['1.0', '1.1'] as const;
export type GraphVersion = (typeof GRAPH_VERSIONS)[number];

/** A value that a node writes when it is done: the rendered `template`, under `key`. In file order. */
export interface StateUpdate {
  readonly key: string;
  readonly template: string;
}

/** Limits on usage. `cost`: in US dollars. */
export interface GraphBudget {
  readonly tokens?: number;
  readonly cost?: number;
}

/** Retries of a failed node: total number of attempts, and the delay before the first retry, which is multiplied by `factor` each time. */
export interface NodeRetry {
  readonly attempts: number;
  readonly delayMs: number;
  readonly factor: number;
}

/** Skill settings of an agent or a node. */
export interface SkillFields {
  readonly on?: boolean;
  readonly names?: readonly string[];
  readonly injects?: boolean;
  readonly instructions?: string;
}

interface NodeBase {
  readonly id: string;
  readonly description?: string;
  readonly updates: readonly StateUpdate[];
  /** Runs only when no active branch can still reach it. Version 1.1. */
  readonly joinsAll?: true;
  /** Version 1.1. */
  readonly retry?: NodeRetry;
  /** Version 1.1. */
  readonly budget?: GraphBudget;
  /** Maximum visits in one run of the graph; absent: the graph's setting. Version 1.1. */
  readonly maxVisits?: number;
}

interface GoingOn {
  /** Node ids; empty if missing in the file or an empty list. Several ids are a fan-out. */
  readonly next: readonly string[];
}

export interface ScriptNode extends NodeBase, GoingOn {
  readonly type: 'script';
  /** Relative to the agent's folder. */
  readonly script: string;
  readonly fallback?: string;
  readonly timeoutMs: number;
}

/** Runs a shell command under the same permissions, display, and approvals as the agent's command tool. Version 1.1. */
export interface CommandNode extends NodeBase, GoingOn {
  readonly type: 'command';
  /** A template. Nothing runs if it renders to an empty text. */
  readonly command: string;
  /** The node that follows if the command could not run, for example because the user rejected it. */
  readonly fallback?: string;
  readonly timeoutMs: number;
}

export interface LlmNode extends NodeBase, GoingOn {
  readonly type: 'llm';
  readonly prompt: string;
  readonly instructions?: string;
  /** Tool names, and `mcp:<server>`. */
  readonly tools: readonly string[];
  /** `provider:model`. */
  readonly model?: string;
  readonly temperature?: number;
  readonly effort?: Effort;
  readonly topP?: number;
  readonly fallback?: string;
  readonly maxAttempts: number;
  /** Maximum requests to the model in one attempt. */
  readonly maxIterations: number;
  /** A JSON Schema. */
  readonly outputSchema?: JsonObject;
  readonly timeoutMs?: number;
  readonly skills: SkillFields;
}

export interface AgentNode extends NodeBase, GoingOn {
  readonly type: 'agent';
  readonly agent: string;
  readonly prompt: string;
  readonly outputSchema?: JsonObject;
  readonly timeoutMs: number;
}

export interface RagNode extends NodeBase, GoingOn {
  readonly type: 'rag';
  readonly documents: readonly string[];
  readonly query: string;
  readonly topK?: number;
  readonly timeoutMs: number;
}

export interface MapNode extends NodeBase, GoingOn {
  readonly type: 'map';
  /** A template that evaluates to a list. */
  readonly over: string;
  readonly as: string;
  readonly branch: string;
  /** Absent: the output of the branch. */
  readonly outputKey?: string;
  readonly collectInto: string;
  readonly maxConcurrency?: number;
  readonly timeoutMs?: number;
}

export interface InputNode extends NodeBase, GoingOn {
  readonly type: 'input';
  readonly question: string;
  readonly default?: string;
  readonly check?: AnswerCheck;
  readonly timeoutMs?: number;
}

export interface ApprovalNode extends NodeBase {
  readonly type: 'approval';
  readonly question: string;
  readonly options: readonly string[];
  /** Answer → node. */
  readonly routes: ReadonlyMap<string, string>;
  readonly onOther: string;
  /** The answer if nobody can be asked; version 1.1. */
  readonly default?: string;
  readonly timeoutMs?: number;
}

interface EndNode extends NodeBase {
  readonly type: 'end';
  readonly output: string;
}

export type GraphNode =
  ScriptNode | CommandNode | LlmNode | AgentNode | RagNode | MapNode | InputNode | ApprovalNode | EndNode;

interface GraphSettings {
  /** Maximum visits of each node in one run. */
  readonly maxVisits: number;
  readonly timeoutMs?: number;
  readonly validatesFirst: boolean;
  /** Maximum number of nodes, including branches of maps, that work concurrently. */
  readonly maxConcurrency: number;
  /** Version 1.1. */
  readonly budget?: GraphBudget;
}

/** A graph as defined in its file. Names may be unresolved; the validation checks them. */
export interface Graph {
  readonly name: string;
  readonly description: string;
  readonly version: GraphVersion;
  readonly model?: string;
  readonly temperature?: number;
  readonly effort?: Effort;
  readonly topP?: number;
  readonly globalTools: readonly string[];
  readonly mcpServers: readonly string[];
  readonly skills: SkillFields;
  readonly settings: GraphSettings;
  readonly initialState: JsonObject;
  readonly reducers: ReadonlyMap<string, Reducer>;
  readonly start: string;
  /** In file order. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

/** Converts a budget to the limits of a run. */
export function budgetLimits({ tokens, cost }: GraphBudget): Pick<RunLimits, 'tokens' | 'costUsd'> {
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { costUsd: cost }) };
}

/** Whether a node's model may load skills, so that one request may not be enough. */
export function loadsSkills({ on, names = [] }: Pick<SkillFields, 'on' | 'names'>): boolean {
  return on === true || (on !== false && names.length > 0);
}

/** A constraint on the length of an answer, in characters. */
export interface AnswerCheck {
  readonly operator: '>' | '>=' | '<' | '<=' | '==';
  readonly length: number;
  /** The check as written. */
  readonly text: string;
}

const FORM = /^\s*len\(\s*input\s*\)\s*(>=|<=|==|>|<)\s*(\d{1,9})\s*$/;

/** Parses a check of the form `len(input) OP N`; undefined for anything else. */
export function parseAnswerCheck(text: string): AnswerCheck | undefined {
  const [, operator, length] = FORM.exec(text) ?? [];
  const known = OPERATORS.find((one) => one === operator);
  return known && { operator: known, length: Number(length), text: text.trim() };
}

const OPERATORS = ['>', '>=', '<', '<=', '=='] as const;

/** Returns what is wrong with the answer, as a message to the user; undefined if it passes. */
export function answerProblem({ operator, length }: AnswerCheck, answer: string): string | undefined {
  const has = Array.from(answer).length;
  const fits = { '>': has > length, '>=': has >= length, '<': has < length, '<=': has <= length, '==': has === length };
  if (fits[operator]) return undefined;
  const words = {
    '>': 'more than',
    '>=': 'at least',
    '<': 'fewer than',
    '<=': 'at most',
    '==': 'exactly',
  };
  return `The answer must have ${words[operator]} ${counted(length, 'character')}; it has ${has}.`;
}

/** Any JSON value with all its keys; the library's own JSON schema drops `__proto__`. */
export const jsonSchema: z.ZodMiniType<JsonValue> = z.lazy(() =>
  z.custom<JsonValue>(isJson, 'must be a value of JSON'),
);

export const jsonObjectSchema: z.ZodMiniType<JsonObject> = z.lazy(() =>
  z.custom<JsonObject>((value) => isPlain(value) && isJson(value), 'must be an object of JSON'),
);

function isJson(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJson);
  if (isPlain(value)) return Object.values(value).every(isJson);
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Parses JSON; undefined if the text is not valid JSON, or nested too deeply to traverse. */
export function parseJson(text: string): JsonValue | undefined {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    // The caller reports what was expected.
    return undefined;
  }
}
