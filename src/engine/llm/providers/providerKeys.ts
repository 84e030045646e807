import { COMPATIBLE_HOSTS } from './compatibleHosts';

/** A provider that can be given a key, and the environment variable the key may come from. */
export interface ProviderKey {
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
