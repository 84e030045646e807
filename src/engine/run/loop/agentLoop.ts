import type { AgentState } from '../../events/agentEvent';
import type { Question, QuestionAnswer } from '../../events/question';
import type { RunOutcome } from '../../events/runOutcome';
import type { OneQuestion } from '../../llm/askOnce';
import type { ToolChoice } from '../../llm/llmClient';
import type { Effort } from '../../llm/model';
import type { AssistantMessage, Message, UserInput } from '../../messages/message';
import type { ToolCall } from '../../messages/toolCall';
import type { ToolResult } from '../../messages/toolResult';
import type { HiddenContext } from '../../tools/hiddenContext';
import type { TeamDesk } from '../../tools/team/teamDesk';
import type { TodoList } from '../../tools/todos/todoList';

/** What a loop may tell those who listen to its run. Text and thinking are pieces of the answer that it gives next. */
export type LoopEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  | { type: 'notice'; level: 'info' | 'warning'; text: string };

/** States that a loop may be in; the others follow from what it does. */
export type LoopState = Extract<AgentState, 'idle' | 'thinking' | 'running-tool' | 'waiting-for-agent'>;

/** What a model answered to a loop. */
export interface ModelReply {
  text: string;
  /** What it wants to be called, with `runCalls`. */
  calls: readonly ToolCall[];
  message: AssistantMessage;
  /** With `outputSchema`: what the answer says, which fits it. Undefined where the model calls tools instead. */
  output?: unknown;
}

/** What a loop asks otherwise than its agent would. What is absent is as the agent has it. */
export interface ModelAsk {
  /** Instead of the agent's prompt. */
  readonly system?: string;
  /** Instead of the conversation; sent as they are and not kept. The answer is kept with the conversation. */
  readonly messages?: readonly Message[];
  /** The names of those of its tools that the model is told of; none: `[]`. */
  readonly tools?: readonly string[];
  /** Whether the model may, must or must not call one, or which one it must call. */
  readonly toolChoice?: ToolChoice;
  /** `provider:model`, for this question. */
  readonly model?: string;
  /** 0 to 2. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** How long the model may think. */
  readonly thinking?: Effort;
  /** A JSON Schema of type object: the answer is JSON that fits it, given as `output`. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** What would become of a call, as the rules stand. */
export interface PermissionCheck {
  action: 'allow' | 'ask' | 'deny';
  /** A sentence that names the rule. */
  reason: string;
}

/**
 * One run, as the loop of its agent sees it: the conversation, the model, the tools, other agents, and the person. When the
 * run is cancelled or over, whatever waits rejects with an error named AbortError, which the loop lets pass.
 */
export interface AgentInternals extends HiddenContext {
  readonly sessionId: string;
  readonly agent: string;
  /** Absolute folder against which relative paths are meant. */
  readonly workspace: string;
  /** `provider:model`. */
  readonly model: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  /** The conversation so far, also of earlier runs in the session. */
  readonly history: readonly Message[];
  readonly state: AgentState;
  readonly todos: TodoList;
  /** Other agents, as an agent's tools have them; those that still work when the loop ends are stopped. */
  readonly team: TeamDesk;
  /** A message waits that `receive` gives at once. */
  readonly hasInput: boolean;

  /** The next message to the agent: first what the run was started with, then what is sent to it; waits for it. */
  receive(): Promise<UserInput>;
  /** Pieces of an answer are put together and kept with the session at the next `receive`, call or end. */
  send(event: LoopEvent): void;
  setState(state: LoopState): void;
  /**
   * Asks the run's model with the conversation as it stands, the agent's prompt and its tools, or as `ask` says; keeps the
   * answer. Waits its turn behind what was asked for before by this method, `runCalls` and `callTool`. Rejects with
   * EngineError `invalid-input` when the model cannot be asked that way, and `io` when its answer is not what was asked for.
   */
  askModel(ask?: ModelAsk): Promise<ModelReply>;
  /** One question to the run's model outside of the conversation. */
  askOnce(question: OneQuestion): Promise<string>;
  /**
   * Carries out the calls of a reply, each as the permission rules and the person allow. Results in the order asked. What is
   * asked for meanwhile, of the model too, waits its turn; a tool may therefore not wait for any of it.
   */
  runCalls(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /**
   * The same for a call that the loop itself makes. What goes wrong is a result with the status `error` or `rejected`. Rejects
   * with EngineError `invalid-input` for an input that is no JSON.
   */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /**
   * What would become of such a call at this moment; nothing is done, asked or kept. Rejects with EngineError `invalid-input`
   * when the agent has no such tool or the input does not fit it.
   */
  checkPermission(tool: string, input: Readonly<Record<string, unknown>>): Promise<PermissionCheck>;
  /** Asks the person, or who stands above this agent. */
  ask(question: Pick<Question, 'question' | 'kind' | 'options'>): Promise<QuestionAnswer>;
}

/** An agent written as a program. What it resolves with is its answer; nothing: the last that it sent. */
export type AgentLoop = (internals: AgentInternals) => Promise<string | undefined>;

/** Thrown by a loop of ours to end its run with something else than an answer. */
export class LoopEnd extends Error {
  constructor(
    readonly outcome: Exclude<RunOutcome, { kind: 'completed' }>,
    options?: ErrorOptions,
  ) {
    super(outcome.kind === 'failed' ? outcome.message : `The run ended: ${outcome.kind}.`, options);
    this.name = 'LoopEnd';
  }
}
