import type { LlmClient } from '../llmClient';
import type { Model } from '../model';

/** A client around the client of a model. Keeps the contract of LlmClient. */
export type Middleware = (next: LlmClient, model: Model) => LlmClient;
