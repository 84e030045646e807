import type { LlmClient } from './llmClient';
import type { Abilities, ListedModel, Model } from './model';

/** The provider of the tour. Every other provider offers real models. */
export const DEMO_PROVIDER = 'demo';

/** A source of models: an endpoint, its key, its models, and the SDK that talks to it. */
export interface Provider {
  /** The part of a model's ID before the colon. */
  readonly id: string;
  readonly label: string;
  /** False for providers that work without a key. */
  readonly needsKey: boolean;
  /** True if listing its models is slow; then only a model picker waits for the list. */
  readonly slowToList?: boolean;
  /** What its models usually support; used where no list says otherwise. `name`: the part of the ID after the colon. */
  assumes?(name: string): Partial<Abilities>;
  /** Whether a request could be sent now: a key is set, or the server answers. Never rejects. */
  isReady(): Promise<boolean>;
  /** The models the server has; empty if it does not answer in time. Never rejects. */
  listModels?(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Why the last listing failed, as a sentence; undefined if nothing is wrong. */
  listProblem?(): string | undefined;
  /** Adds what the server itself reports about a model; returns the same model if it reports nothing. Never rejects. */
  describe?(model: Model, signal: AbortSignal): Promise<Model>;
  /** The SDK is loaded on the first request, not here. */
  client(model: Model): LlmClient;
}

/** A model offered for selection. */
export interface ModelListing {
  model: Model;
  /** The provider's display name. */
  provider: string;
  /** False if the provider lacks its key or its server is not running. */
  ready: boolean;
  /** False for the user's own servers, the editor's models, and the tour. */
  needsKey: boolean;
  /** True for the tour, which is not a real model. */
  scripted: boolean;
}
