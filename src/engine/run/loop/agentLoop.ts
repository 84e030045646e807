import type { AgentState } from '../../events/agentEvent';
import type { Question, QuestionAnswer } from '../../events/question';
import type { OneQuestion } from '../../llm/askOnce';
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
   * Asks the run's model with the conversation as it stands, the agent's prompt and its tools; keeps the answer. Waits its
   * turn behind what was asked for before by this method, `runCalls` and `callTool`.
   */
  askModel(): Promise<ModelReply>;
  /** One question to the run's model outside of the conversation. */
  askOnce(question: OneQuestion): Promise<string>;
  /**
   * Carries out the calls of a reply, each as the permission rules and the person allow. Results in the order asked. What is
   * asked for meanwhile, of the model too, waits its turn; a tool may therefore not wait for any of it.
   */
  runCalls(calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
  /** The same for a call that the loop itself makes. What goes wrong is a result with the status `error` or `rejected`. */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Asks the person, or who stands above this agent. */
  ask(question: Pick<Question, 'question' | 'kind' | 'options'>): Promise<QuestionAnswer>;
}

/** An agent written as a program. What it resolves with is its answer; nothing: the last that it sent. */
export type AgentLoop = (internals: AgentInternals) => Promise<string | undefined>;
