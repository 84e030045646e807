import type { Effort } from '../../llm/model';
import type { ToolSpec } from '../../llm/llmClient';
import type { AssistantMessage, Message, UserInput } from '../../messages/message';

/** Where a middleware is asked. */
export interface MiddlewareContext {
  /** Absent for a question that is asked outside of any run. */
  readonly runId?: string;
  readonly sessionId?: string;
  /** The names of the agent and of those above it, the topmost first. */
  readonly agentPath: readonly string[];
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** What a model is going to be asked. The whole conversation, as it stands in the session. */
export interface ModelQuestion {
  /** `provider:model`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly temperature?: number;
  readonly topP?: number;
  /** How long it may think. */
  readonly effort?: Effort;
  readonly maxOutputTokens?: number;
}

export type ChangedQuestion = Partial<Omit<ModelQuestion, 'model'>>;

/**
 * Stands between agents and models, for every run of an engine: also those of agents that others start, and of agents that
 * are programs. What it gives counts, in the order in which the middleware was added; what it gives nothing of stays. One that
 * throws ends the run with a failure that names it.
 */
export interface EngineMiddleware {
  /** Named when it fails. No two have one name. */
  readonly name: string;
  /**
   * Before a message to an agent is kept and told of. A text stands for the words alone. Where it throws, the message is kept
   * as it was written, and no model is asked.
   */
  onUserMessage?(
    input: Readonly<UserInput>,
    context: MiddlewareContext,
  ): Given<string | Partial<Pick<UserInput, 'text' | 'attachments'>>>;
  /**
   * Before any question to a model: a turn of a conversation, a summary, a title. What it gives is sent and not kept: the
   * session stays as it is, and the next question begins from it again. So that vendors find in their caches what was sent
   * before, make the same of the same messages each time.
   */
  beforeModel?(question: ModelQuestion, context: MiddlewareContext): Given<ChangedQuestion>;
  /**
   * After each whole answer in a conversation, before it is kept and its calls are carried out. What was streamed is shown
   * already. Calls may be changed or left out; none may be added. Where it throws, the words are kept and the calls are not.
   */
  afterModel?(message: Readonly<AssistantMessage>, context: MiddlewareContext): Given<Pick<AssistantMessage, 'parts'>>;
}

/** Nothing: all stays as it is. */
type Given<T> = T | undefined | Promise<T | undefined>;
