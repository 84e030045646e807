import type { Question, QuestionAnswer } from '../events/question';
import type { GraphBudget, JsonObject, SkillFields } from './graph';

/** One use of a tool by an agent that works on a node. */
export interface NodeCall {
  readonly tool: string;
  /** What it was about, for people. */
  readonly title: string;
  readonly status: 'ok' | 'error' | 'rejected' | 'cancelled';
  readonly durationMs: number;
}

/** Where an agent works on a node: in a session of its own, so that it can go on there after the run was stopped. */
export interface WorkSession {
  /** The one in which it was at work before. */
  readonly earlier?: string;
  /** It failed there, and is tried again by the same run. */
  readonly hasFailed?: boolean;
  /** Keeps the one in which it begins. */
  keep(sessionId: string): Promise<void>;
  /** Keeps what it called there. */
  called(call: NodeCall): void;
  /** Keeps when the node waits for a person: itself, its agent, or one that this started. */
  asks(isAsking: boolean): void;
}

/** What was used of models. */
export interface Used {
  readonly tokens: number;
  readonly costUsd: number;
}

/** What tells of what it uses, request by request, also where it fails. */
interface Spending {
  /** `goesOn`: the work does, so that what it used is kept already now. */
  readonly spend: (used: Used, goesOn?: boolean) => void;
}

/** What an llm node wants of a model. Texts are filled. */
export interface LlmWork extends Spending {
  readonly node: string;
  readonly session: WorkSession;
  readonly prompt: string;
  readonly instructions: string;
  /** Names of tools, and `mcp:<server>`. */
  readonly tools: readonly string[];
  readonly model?: string;
  readonly temperature?: number;
  readonly topP?: number;
  /** Requests to the model. */
  readonly maxTurns: number;
  readonly outputSchema?: JsonObject;
  readonly skills: SkillFields;
  readonly budget?: GraphBudget;
}

/** What an agent node wants of an agent. */
export interface AgentWork extends Spending {
  readonly node: string;
  readonly session: WorkSession;
  readonly agent: string;
  readonly prompt: string;
  readonly budget?: GraphBudget;
}

/** What is told of a node that runs something itself. */
type Asking = Pick<WorkSession, 'asks'>;

/** What a script node wants of a script. */
export interface ScriptWork {
  readonly node: string;
  readonly session: Asking;
  /** Relative to the agent's folder. */
  readonly script: string;
  /** The state, as its environment has it. */
  readonly state: JsonObject;
}

/** What a command node wants of a command. */
export interface CommandWork {
  readonly node: string;
  readonly session: Asking;
  readonly command: string;
  readonly timeoutMs: number;
}

/** How a command ended. */
export interface CommandEnd {
  /** Null where a signal or the time ended it. */
  readonly exitCode: number | null;
  /** What it printed, shortened. */
  readonly output: string;
}

/** What was answered. */
export interface WorkReport {
  readonly text: string;
  /** Its session, where it has one of its own. */
  readonly sessionId?: string;
}

/** One question to a model about a text, without tools. */
export interface TextQuestion extends Spending {
  readonly node: string;
  readonly system: string;
  readonly text: string;
  readonly model?: string;
  readonly outputSchema?: JsonObject;
}

/** What the nodes of a graph do outside of it. Every method rejects with AbortError, and with what went wrong, in a sentence. */
export interface GraphDesk {
  /** A model works on it, with tools where it has some. */
  think(work: LlmWork, signal: AbortSignal): Promise<WorkReport>;
  /** An agent works on it, which may start others. */
  delegate(work: AgentWork, signal: AbortSignal): Promise<WorkReport>;
  askModel(question: TextQuestion, signal: AbortSignal): Promise<WorkReport>;
  /** What it printed to its standard output. Rejects when it does not end with 0. */
  runScript(work: ScriptWork, signal: AbortSignal): Promise<string>;
  /** Runs a command in the workspace, as its agent may. Rejects when it may not. */
  runCommand(work: CommandWork, signal: AbortSignal): Promise<CommandEnd>;
  /** Asks the person, or who stands above the agent. */
  askPerson(
    node: string,
    question: Pick<Question, 'question' | 'kind' | 'options'>,
    signal: AbortSignal,
  ): Promise<QuestionAnswer>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
