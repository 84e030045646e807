import type { LlmClient } from './llmClient';
import type { Abilities, ListedModel, Model } from './model';

/** The provider of the tour; everything else is a real model. */
export const DEMO_PROVIDER = 'demo';

/** Who answers: an endpoint, its key, its models, and the SDK that speaks to it. */
export interface Provider {
  /** The part before the colon of a model's id. */
  readonly id: string;
  readonly label: string;
  /** False for providers that work without one. */
  readonly needsKey: boolean;
  /** True when listing its models takes long, so that nobody waits for it who does not choose a model. */
  readonly slowToList?: boolean;
  /** What its models can do as a rule; counts where no list says anything of `name`, the part after the colon. */
  assumes?(name: string): Partial<Abilities>;
  /** True when a request could be sent now: a key is set, or the server answers. Never rejects. */
  isReady(): Promise<boolean>;
  /** The models that the server has; none when it does not answer in time. Never rejects. */
  listModels?(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Why there was no list when it was last asked for, in a sentence; undefined where nothing is wrong. */
  listProblem?(): string | undefined;
  /** What the server itself says of a model; the same model when it says nothing. Never rejects. */
  describe?(model: Model, signal: AbortSignal): Promise<Model>;
  /** The SDK is loaded with the first request, not here. */
  client(model: Model): LlmClient;
}

/** A model that can be chosen. */
export interface ModelListing {
  model: Model;
  /** The provider's name for people. */
  provider: string;
  /** False when the provider lacks its key, or its server does not run. */
  ready: boolean;
  /** False for servers of the person's own, the editor's models and the tour. */
  needsKey: boolean;
  /** True for the tour, which is no model. */
  scripted: boolean;
}
