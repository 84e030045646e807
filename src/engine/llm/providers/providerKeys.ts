import { COMPATIBLE_HOSTS } from './compatibleHosts';

/** Where a provider's key and address may come from. */
export interface ProviderKey {
  /** The provider; its key is the secret `apiKey.` and this. */
  id: string;
  label: string;
  keyVariable: string;
  /** False for providers that work without a key. */
  needed: boolean;
}

/** Every provider that can be given a key, in the order in which they are offered. */
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

/** What to do where no model is ready. */
export function noKeyText(): string {
  const variables = PROVIDER_KEYS.filter(({ needed }) => needed).map(({ keyVariable }) => keyVariable);
  return `There is no model, because no key is set. Set ${variables.slice(0, -1).join(', ')} or ${variables.at(-1) ?? ''}, start Ollama, or name a model. demo:tour, which is scripted and needs no key, is used only when named.`;
}
