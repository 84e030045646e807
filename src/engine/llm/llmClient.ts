import type { LlmEvent } from './llmEvent';
import type { LlmRequest } from './llmRequest';
import type { Model } from './model';

/** One question to one model, as a stream. */
export interface LlmClient {
  /** Never throws: the last event is `finished` or `failed`. Ends within 100 ms after the signal aborts. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent>;
}

/** A client around the client of a model. Keeps the contract of LlmClient. */
export type Middleware = (next: LlmClient, model: Model) => LlmClient;
