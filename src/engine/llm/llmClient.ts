import type { FinishReason, Message, Usage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { Effort, Model } from './model';

/** One question to one model, as a stream. */
export interface LlmClient {
  /** Never throws: the last event is `finished` or `failed`. Ends within 100 ms after the signal aborts. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent>;
}

/** A client around the client of a model. Keeps the contract of LlmClient. */
export type Middleware = (next: LlmClient, model: Model) => LlmClient;

/** A tool as a model is told of it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** Whether a model may, must or must not call tools, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/** One question to one model. Every tool call in `messages` has a result. */
export interface LlmRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** What requests of one conversation have in common, so that a vendor looks for their beginning in one cache. */
  cacheKey?: string;
  /** 0 to 2; absent: the model's own. */
  temperature?: number;
  /** 0 to 1; absent: the model's own. */
  topP?: number;
  /** How long it may think; absent: the model's own. */
  effort?: Effort;
  /** Absent: the model's own limit. */
  maxOutputTokens?: number;
  /** Absent: the model decides. */
  toolChoice?: ToolChoice;
  /** A JSON Schema of type object that the answer has to fit; absent: the answer is text. */
  outputSchema?: Readonly<Record<string, unknown>>;
}

/** What a model says, piece by piece. The last event of a stream is `finished` or `failed`, and only the last. */
export type LlmEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** The thinking so far is complete; `signature` where the vendor gives one. */
  | { type: 'thinking-finished'; signature?: string }
  | { type: 'redacted-thinking'; data: string }
  /** The model began to write a call; its arguments are still coming. */
  | { type: 'tool-call-started'; id: string; name: string }
  /** `unsaid`: the vendor sent no arguments at all, which means `{}` in a whole answer and nothing in one that was cut. */
  | { type: 'tool-call'; call: ToolCall; unsaid?: true }
  /** For the person: what of the request the model could not be given. */
  | { type: 'notice'; text: string }
  | { type: 'usage'; usage: Usage }
  | ({ type: 'finished'; reason: Exclude<FinishReason, 'cut-off'> } & BrokenTries)
  | ({ type: 'failed'; failure: LlmFailure } & BrokenTries);

/** What tries used that broke off and were made again; null of one that the vendor did not count. They are paid for all the same. */
export interface BrokenTries {
  lost?: readonly (Usage | null)[];
}

/** Why a model did not answer. */
export type LlmFailureReason =
  /** No API key is set for the provider. */
  | 'no-key'
  /** The provider refused the key (401, 403). */
  | 'auth'
  | 'unknown-model'
  | 'rate-limit'
  | 'context-overflow'
  /** The request was refused for another reason (400, 422). */
  | 'bad-request'
  /** The provider's own trouble (5xx, overloaded). */
  | 'server'
  /** Nobody answers at the address, or what answers speaks another language. */
  | 'unreachable'
  /** The stream broke before its end. */
  | 'cut-stream'
  /** A middleware of others failed, before the model was asked or after it had answered. */
  | 'middleware'
  | 'cancelled';

export interface LlmFailure {
  reason: LlmFailureReason;
  /** For a person: what happened, where (provider, address), what to do next. Holds no secret. */
  message: string;
  /** HTTP status, when there was an answer. */
  status?: number;
  /** Of `rate-limit`: when the provider will take requests again. */
  retryAfterMs?: number;
}
