import type { LlmClient } from './llmClient';
import type { Abilities, ListedModel, Model } from './model';
import { COMPATIBLE_HOSTS } from './providers/compatibleHosts';
import type { SdkTarget } from './sdk/sdkTarget';

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

/** The settings a provider is created with, read anew for each request. */
export interface ProviderSettings {
  /** Overrides the vendor's own address. */
  readonly baseUrl?: string | undefined;
  apiKey(): Promise<string | undefined>;
  readonly proxySignIn?: SdkTarget['proxySignIn'];
  readonly idle?: SdkTarget['idle'];
  readonly answered?: SdkTarget['answered'];
  readonly fetch?: SdkTarget['fetch'];
}

/** Returns the part of a target that every provider takes from its settings. */
export function wayOf(
  settings: ProviderSettings,
): Pick<SdkTarget, 'apiKey' | 'proxySignIn' | 'idle' | 'answered' | 'fetch'> {
  const { proxySignIn, idle, answered, fetch } = settings;
  return { apiKey: () => settings.apiKey(), proxySignIn, idle, answered, fetch };
}

/** A provider that can be given a key, and the environment variable the key may come from. */
interface ProviderKey {
  /** The provider's ID; its key is the secret `apiKey.<id>`. */
  id: string;
  label: string;
  keyVariable: string;
  /** False for providers that work without a key. */
  needed: boolean;
}

/** Every provider that accepts a key, in display order. */
export const PROVIDER_KEYS: readonly ProviderKey[] = [
  { id: 'openai', label: 'OpenAI', keyVariable: 'OPENAI_API_KEY', needed: true },
  { id: 'anthropic', label: 'Anthropic', keyVariable: 'ANTHROPIC_API_KEY', needed: true },
  ...COMPATIBLE_HOSTS.map((host) => ({
    id: host.id,
    label: host.label,
    keyVariable: host.keyVariable,
    needed: !('local' in host),
  })),
  { id: 'ollama', label: 'Ollama', keyVariable: 'OLLAMA_API_KEY', needed: false },
];

/** Returns what the user can do when no model is ready. */
export function noKeyText(): string {
  const variables = PROVIDER_KEYS.filter(({ needed }) => needed).map(({ keyVariable }) => keyVariable);
  return `There is no model, because no key is set. Set ${variables.slice(0, -1).join(', ')} or ${variables.at(-1) ?? ''}, start Ollama, or name a model. demo:tour, which is scripted and needs no key, is used only when named.`;
}
