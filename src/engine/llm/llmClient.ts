import type { FinishReason, Message, Usage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { Effort, Model } from './model';

/** A client for one model, which streams its answers. */
export interface LlmClient {
  /** Never throws: the last event is `finished` or `failed`. Ends within 100 ms after the signal aborts. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent>;
}

/** Wraps a model's client. Must keep the LlmClient contract. */
export type Middleware = (next: LlmClient, model: Model) => LlmClient;

/** A tool as described to a model. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** Whether a model may, must, or must not call tools, or which tool it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/** One request to one model. Every tool call in `messages` has a result. */
export interface LlmRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** Shared by all requests of a conversation, so the vendor can find their common prefix in one cache. */
  cacheKey?: string;
  /** 0 to 2. Absent: the model's default. */
  temperature?: number;
  /** 0 to 1. Absent: the model's default. */
  topP?: number;
  /** Reasoning effort. Absent: the model's default. */
  effort?: Effort;
  /** Absent: the model's own limit. */
  maxOutputTokens?: number;
  /** Absent: the model decides. */
  toolChoice?: ToolChoice;
  /** A JSON Schema of type object that the answer must match. Absent: the answer is text. */
  outputSchema?: Readonly<Record<string, unknown>>;
}

/** A piece of a model's answer. Every stream ends with exactly one `finished` or `failed` event. */
export type LlmEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** The thinking so far is complete; has a `signature` if the vendor provides one. */
  | { type: 'thinking-finished'; signature?: string }
  | { type: 'redacted-thinking'; data: string }
  /** The model started writing a call; its arguments are still streaming. */
  | { type: 'tool-call-started'; id: string; name: string }
  /** `unsaid`: the vendor sent no arguments, which means `{}` in a complete answer and nothing in one that was cut. */
  | { type: 'tool-call'; call: ToolCall; unsaid?: true }
  | ({ type: 'notice' } & LlmNotice)
  | { type: 'usage'; usage: Usage }
  | ({ type: 'finished'; reason: Exclude<FinishReason, 'cut-off'> } & BrokenTries)
  | ({ type: 'failed'; failure: LlmFailure } & BrokenTries);

/**
 * Shown to the user: what part of the request could not be passed to the model, or, with `waitMs`, why the request is sent again
 * after that time.
 */
export interface LlmNotice {
  text: string;
  waitMs?: number;
}

/** Usage of tries that broke off and were retried; null for a try whose usage the vendor did not report. They are billed all the same. */
interface BrokenTries {
  lost?: readonly (Usage | null)[];
}

/** Why a model did not answer. */
export type LlmFailureReason =
  /** No API key is set for the provider. */
  | 'no-key'
  /** The provider rejected the key (401, 403). */
  | 'auth'
  | 'unknown-model'
  | 'rate-limit'
  | 'context-overflow'
  /** The request was rejected for another reason (400, 422). */
  | 'bad-request'
  /** An error on the provider's side (5xx, overloaded). */
  | 'server'
  /** Nothing answers at the address, or what answers speaks another protocol. */
  | 'unreachable'
  /** The stream broke off before its end. */
  | 'cut-stream'
  /** A third-party middleware failed, before the model was asked or after it answered. */
  | 'middleware'
  | 'cancelled';

export interface LlmFailure {
  reason: LlmFailureReason;
  /** User-facing: what happened, where (provider, address), and what to do next. Contains no secrets. */
  message: string;
  /** HTTP status, if there was a response. */
  status?: number;
  /** The provider has too much to do, so it is asked again later than after other errors. Absent: as reason and status say. */
  busy?: true;
  /** When the provider accepts requests again. */
  retryAfterMs?: number;
  /** Whether the same request may succeed later. Absent: as the reason says; see `retryBrokenStream`. */
  retryable?: boolean;
}

/** Returns a client that is loaded on its first request. Its streams reject only if `load` does, as in a damaged installation. */
export function lazyClient(load: () => Promise<LlmClient>): LlmClient {
  return { stream: (request, signal) => laterStream(async () => (await load()).stream(request, signal)) };
}

/**
 * Returns a stream that is opened lazily. Events are forwarded without a generator, which would add an extra await for each of
 * them. Rejects only if `begin` or the stream does.
 */
export function laterStream(begin: () => Promise<AsyncIterable<LlmEvent>>): AsyncIterable<LlmEvent> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<LlmEvent, void> {
      let inner: AsyncIterator<LlmEvent, void> | undefined;
      const first = async () => {
        inner = (await begin())[Symbol.asyncIterator]();
        return inner.next();
      };
      return {
        next: () => inner?.next() ?? first(),
        return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
