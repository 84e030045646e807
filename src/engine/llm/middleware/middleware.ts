import type { LlmClient } from '../llmClient';

/** A client around a client. Keeps the contract of LlmClient. */
export type Middleware = (next: LlmClient) => LlmClient;
