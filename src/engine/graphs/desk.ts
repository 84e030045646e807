import type { AgentEventBody, Question, QuestionAnswer } from '../events/agentEvent';
import type { Effort } from '../llm/model';
import type { ScriptTargets } from './edges';
import type { Graph, GraphBudget, JsonObject, SkillFields } from './graph';
import type { GraphEntry, GraphRequest } from './record/graphRecords';

/** A tool call of an agent that works on a node. */
interface NodeCall {
  readonly tool: string;
  /** Title of the call, for people. */
  readonly title: string;
  readonly status: 'ok' | 'error' | 'rejected' | 'cancelled';
  readonly durationMs: number;
}

/** The session in which an agent works on a node, so that the work can resume there after the run was stopped. */
export interface WorkSession {
  /** The session in which the work began earlier. */
  readonly earlier?: string;
  /** The earlier attempt failed, and the same run retries it. */
  readonly hasFailed?: boolean;
  /** When the node failed after the work there. An answer given there until then may be why, so it is not used again. */
  readonly failedAt?: number;
  /** Records the session in which the work begins. */
  keep(sessionId: string): Promise<void>;
  /** Records a call made in that session. */
  called(call: NodeCall): void;
  /** Records whether the node waits for the user, through itself, its agent, or one that this agent started. */
  asks(isAsking: boolean): void;
}

/** Model usage. */
export interface Used {
  readonly tokens: number;
  readonly costUsd: number;
}

/** Work that reports its usage per request, even if it fails. */
interface Spending {
  /** `goesOn`: the work continues, so the usage is recorded immediately. */
  readonly spend: (used: Used, goesOn?: boolean) => void;
}

/** A task that an llm node gives to a model. Texts are already rendered. */
export interface LlmWork extends Spending {
  readonly node: string;
  readonly session: WorkSession;
  readonly prompt: string;
  readonly instructions: string;
  /** Tool names, and `mcp:<server>`. */
  readonly tools: readonly string[];
  readonly model?: string;
  readonly temperature?: number;
  readonly effort?: Effort;
  readonly topP?: number;
  /** Maximum number of requests to the model. */
  readonly maxTurns: number;
  readonly outputSchema?: JsonObject;
  readonly skills: SkillFields;
  readonly budget?: GraphBudget;
}

/** A task that an agent node gives to an agent. */
export interface AgentWork extends Spending {
  readonly node: string;
  readonly session: WorkSession;
  readonly agent: string;
  readonly prompt: string;
  readonly budget?: GraphBudget;
}

/** The part of the session used by a node that runs something itself. */
type Asking = Pick<WorkSession, 'asks'>;

/** A script that a script node runs. */
export interface ScriptWork {
  readonly node: string;
  readonly session: Asking;
  /** Relative to the agent's folder. */
  readonly script: string;
  /** The state, passed to the script in its environment. */
  readonly state: JsonObject;
}

/** A command that a command node runs. */
export interface CommandWork {
  readonly node: string;
  readonly session: Asking;
  readonly command: string;
  readonly timeoutMs: number;
}

/** How a command ended. */
export interface CommandEnd {
  /** Null if it was ended by a signal or timed out. */
  readonly exitCode: number | null;
  /** Its output, truncated. */
  readonly output: string;
}

/** The answer of a model or an agent. */
export interface WorkReport {
  readonly text: string;
  /** Its session, if it has its own. */
  readonly sessionId?: string;
}

/** A single request to a model about a text, without tools. */
export interface TextQuestion extends Spending {
  readonly node: string;
  readonly system: string;
  readonly text: string;
  readonly model?: string;
  readonly outputSchema?: JsonObject;
}

/** The operations of graph nodes outside the graph. Every method rejects with AbortError, and with an error whose message is a sentence. */
export interface GraphDesk {
  /** Has a model work on a task, with tools if there are any. */
  think(work: LlmWork, signal: AbortSignal): Promise<WorkReport>;
  /** Has an agent work on a task; it may start others. */
  delegate(work: AgentWork, signal: AbortSignal): Promise<WorkReport>;
  askModel(question: TextQuestion, signal: AbortSignal): Promise<WorkReport>;
  /** Returns the script's standard output. Rejects if its exit code is not 0. */
  runScript(work: ScriptWork, signal: AbortSignal): Promise<string>;
  /** Runs a command in the workspace, subject to the agent's permissions. Rejects if it may not run. */
  runCommand(work: CommandWork, signal: AbortSignal): Promise<CommandEnd>;
  /** Asks the user, or an ancestor of the agent. */
  askPerson(
    node: string,
    question: Pick<Question, 'question' | 'kind' | 'options'>,
    signal: AbortSignal,
  ): Promise<QuestionAnswer>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A graph as loaded for an agent. */
export interface AgentGraph {
  readonly graph: Graph;
  /** The full text of the file. */
  readonly text: string;
  /** Absolute path. */
  readonly path: string;
}

/** The graph of an agent. Loaded when the agent runs if another file refers to it, as for built-in agents. */
export interface GraphOfAgent {
  /** Absolute path. */
  readonly path: string;
  /** Rejects with EngineError if the graph cannot be read. */
  readonly load: () => Promise<AgentGraph>;
}

/** Events that a graph run emits. */
export type GraphEvent = Extract<
  AgentEventBody,
  { type: 'graph-started' | 'node-started' | 'node-progress' | 'node-finished' | 'notice' }
>;

export interface GraphRunParts {
  readonly agent: string;
  readonly file: AgentGraph;
  readonly desk: GraphDesk;
  /** Undefined: every script may go anywhere. */
  readonly scripts?: ScriptTargets;
  /** Time limit for the whole run, including the time before it was stopped; undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Appends an entry to the run's record; resolves once it is on disk. */
  keep(id: string, entry: GraphEntry): Promise<void>;
  /** The run to resume, with the entries of its record; undefined for a new run. */
  readonly resumed: ResumedGraph | undefined;
  /** Returns what others have requested of the run since the last call. */
  readonly asked: (id: string) => Promise<GraphRequest | undefined>;
  readonly now: () => number;
  readonly tell: (event: GraphEvent) => void;
  readonly signal: AbortSignal;
  /** Whether the program is shutting down, so that the run was cut off and may resume later. */
  isShutDown(): boolean;
}

export interface ResumedGraph {
  readonly id: string;
  readonly prompt: string;
  readonly entries: readonly GraphEntry[];
}
