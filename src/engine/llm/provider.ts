import type { LlmClient } from './llmClient';
import type { Model } from './model';

/** Who answers: an endpoint, its key, its models, and the SDK that speaks to it. */
export interface Provider {
  /** The part before the colon of a model's id. */
  readonly id: string;
  readonly label: string;
  /** False for providers that work without one. */
  readonly needsKey: boolean;
  /** True when a request could be sent now: a key is set, or none is needed. */
  isReady(): Promise<boolean>;
  /** The SDK is loaded with the first request, not here. */
  client(model: Model): LlmClient;
}
