import { lazyClient } from '../llmClient';
import { type Provider, type ProviderSettings, wayOf } from '../provider';

const OWN_ADDRESS = 'https://api.anthropic.com';

/** Models that decide for themselves how much to think. Older ones would have to be told, and are not. */
const ADAPTIVE = /^claude-[a-z]+-([5-9]|4-[6-9])/;

/**
 * Models that always think, and can therefore not be told to call a tool.
 * https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, seen 2026-11-27.
 */
const ALWAYS_THINKS = /^claude-(?:(?:fable|mythos)-|opus-5-5)/;

/** Returns the provider for Anthropic, or any host that speaks its Messages API at `baseUrl`, with or without a trailing `/v1`. */
export function anthropicProvider(settings: ProviderSettings): Provider {
  return {
    id: 'anthropic',
    label: 'Anthropic',
    needsKey: true,
    assumes: (name) => ({
      vision: true,
      thinking: ADAPTIVE.test(name),
      forcedCalls: !ALWAYS_THINKS.test(name),
      caching: true,
    }),
    isReady: async () => Boolean((await settings.apiKey())?.trim()),
    client: (model) => {
      const target = {
        label: 'Anthropic',
        // The SDK adds the version segment.
        baseUrl: (settings.baseUrl ?? OWN_ADDRESS).replace(/\/v1\/?$/, ''),
        model,
        keyVariable: 'ANTHROPIC_API_KEY',
        needsKey: true,
        ...wayOf(settings),
      };
      return lazyClient(async () => (await import('../sdkClients')).anthropicMessages(target));
    },
  };
}
