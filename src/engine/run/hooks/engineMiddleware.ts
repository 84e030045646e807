import type { Effort } from '../../llm/model';
import type { ToolSpec } from '../../llm/llmClient';
import type { AssistantMessage, Message, UserInput } from '../../messages/message';

/** The context in which a middleware is called. */
export interface MiddlewareContext {
  /** Absent for a request outside any run. */
  readonly runId?: string;
  readonly sessionId?: string;
  /** The names of the agent and its ancestors, topmost first. */
  readonly agentPath: readonly string[];
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal;
}

/** A request about to be sent to a model, with the whole conversation as it is in the session. */
export interface ModelQuestion {
  /** `provider:model`. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Reasoning effort. */
  readonly effort?: Effort;
  readonly maxOutputTokens?: number;
}

export type ChangedQuestion = Partial<Omit<ModelQuestion, 'model'>>;

/**
 * Intercepts what passes between agents and models, for every run of an engine, including agents started by others and agents
 * that are programs. Middleware is applied in the order it was added; what a hook does not return stays unchanged. A hook that
 * throws ends the run with a failure that names the middleware.
 */
export interface EngineMiddleware {
  /** Named in failures. Must be unique. */
  readonly name: string;
  /**
   * Called before a message to an agent is stored and announced. A string replaces only the message text. If it throws, the
   * message is stored as written and no model is asked.
   */
  onUserMessage?(
    input: Readonly<UserInput>,
    context: MiddlewareContext,
  ): Given<string | Partial<Pick<UserInput, 'text' | 'attachments'>>>;
  /**
   * Called before any request to a model: a turn of a conversation, a summary, a title. Changes apply to what is sent but are not
   * stored: the session stays as it is, and the next request starts from it again. To benefit from vendors' caches, always change
   * the same messages in the same way.
   */
  beforeModel?(question: ModelQuestion, context: MiddlewareContext): Given<ChangedQuestion>;
  /**
   * Called after each complete answer in a conversation, before it is stored and its calls are carried out. What was streamed has
   * already been shown. Calls may be changed or omitted, but not added. If it throws, the text is kept and the calls are not.
   */
  afterModel?(message: Readonly<AssistantMessage>, context: MiddlewareContext): Given<Pick<AssistantMessage, 'parts'>>;
}

/** Returning undefined changes nothing. */
type Given<T> = T | undefined | Promise<T | undefined>;
