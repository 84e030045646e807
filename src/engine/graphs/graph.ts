import type { RunLimits } from '../run/stopConditions';
import type { JsonValue } from '../tools/hiddenContext';
import type { AnswerCheck } from './format/answerCheck';

export type { JsonValue } from '../tools/hiddenContext';
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** How what several write under one key comes together. */
export const REDUCERS = ['append', 'extend', 'concat', 'sum', 'max', 'min', 'merge', 'overwrite'] as const;
export type Reducer = (typeof REDUCERS)[number];

/** The last one is Cairn's own, in version 1.1. */
export const NODE_TYPES = ['script', 'llm', 'agent', 'rag', 'map', 'input', 'approval', 'end', 'command'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** `1.1`: with what Cairn adds to the format of the original. */
export const GRAPH_VERSIONS = ['1.0', '1.1'] as const;
export type GraphVersion = (typeof GRAPH_VERSIONS)[number];

/** What a node writes when it is done: under `key`, what `template` comes to. In the order of the file. */
export interface StateUpdate {
  readonly key: string;
  readonly template: string;
}

/** What may be used up. `cost`: in US dollars. */
export interface GraphBudget {
  readonly tokens?: number;
  readonly cost?: number;
}

/** A node that fails is tried again: so often in all, after so many milliseconds, each time `factor` times as long. */
export interface NodeRetry {
  readonly attempts: number;
  readonly delayMs: number;
  readonly factor: number;
}

/** What agent and node may say of skills. */
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
  /** Runs once no branch is under way any more that may still come to it. Version 1.1. */
  readonly joinsAll?: true;
  /** Version 1.1. */
  readonly retry?: NodeRetry;
  /** Version 1.1. */
  readonly budget?: GraphBudget;
  /** So often it may run in one run of the graph; absent: as the graph says. Version 1.1. */
  readonly maxVisits?: number;
}

interface GoingOn {
  /** Ids; empty: missing in the file, or an empty list. Several are a fan-out. */
  readonly next: readonly string[];
}

export interface ScriptNode extends NodeBase, GoingOn {
  readonly type: 'script';
  /** Relative to the agent's folder. */
  readonly script: string;
  readonly fallback?: string;
  readonly timeoutMs: number;
}

/** Runs a line of the shell as the agent's tool for commands would: judged, shown, and asked for. Version 1.1. */
export interface CommandNode extends NodeBase, GoingOn {
  readonly type: 'command';
  /** A template. One that comes to nothing runs nothing. */
  readonly command: string;
  /** Where it goes on when the command could not be run, such as when a person refused it. */
  readonly fallback?: string;
  readonly timeoutMs: number;
}

export interface LlmNode extends NodeBase, GoingOn {
  readonly type: 'llm';
  readonly prompt: string;
  readonly instructions?: string;
  /** Names of tools, and `mcp:<server>`. */
  readonly tools: readonly string[];
  /** `provider:model`. */
  readonly model?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly fallback?: string;
  readonly maxAttempts: number;
  /** Requests to the model within one attempt. */
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
  /** A template that comes to a list. */
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
  /** The answer where nobody can be asked; version 1.1. */
  readonly default?: string;
  readonly timeoutMs?: number;
}

export interface EndNode extends NodeBase {
  readonly type: 'end';
  readonly output: string;
}

export type GraphNode =
  ScriptNode | CommandNode | LlmNode | AgentNode | RagNode | MapNode | InputNode | ApprovalNode | EndNode;

export interface GraphSettings {
  /** So often each node may run in one run. */
  readonly maxVisits: number;
  readonly timeoutMs?: number;
  readonly validatesFirst: boolean;
  /** So many nodes, branches of maps among them, work at once. */
  readonly maxConcurrency: number;
  /** Version 1.1. */
  readonly budget?: GraphBudget;
}

/** A graph as its file says it: what it names may be missing, which its validation says. */
export interface Graph {
  readonly name: string;
  readonly description: string;
  readonly version: GraphVersion;
  readonly model?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly globalTools: readonly string[];
  readonly mcpServers: readonly string[];
  readonly skills: SkillFields;
  readonly settings: GraphSettings;
  readonly initialState: JsonObject;
  readonly reducers: ReadonlyMap<string, Reducer>;
  readonly start: string;
  /** In the order of the file. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

/** A budget as the limits of a run. */
export function budgetLimits({ tokens, cost }: GraphBudget): Pick<RunLimits, 'tokens' | 'costUsd'> {
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { costUsd: cost }) };
}
