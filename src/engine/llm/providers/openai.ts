import { lazyClient } from '../llmClient';
import { type Provider, type ProviderSettings, wayOf } from '../provider';
import { USUAL_QUIRKS } from '../sdk/chat/chatQuirks';

const OWN_ADDRESS = 'https://api.openai.com/v1';
const OWN_QUIRKS = { ...USUAL_QUIRKS, limitField: 'max_completion_tokens' } as const;

interface OpenaiSettings extends ProviderSettings {
  /** Absent or `auto`: Responses at OpenAI's own address, Chat Completions anywhere else. */
  readonly api?: 'auto' | 'responses' | 'chat' | undefined;
}

/**
 * Returns the provider for OpenAI, or any host that speaks its Chat Completions or Responses API at `baseUrl` (usually ending in
 * `/v1`).
 */
export function openaiProvider(settings: OpenaiSettings): Provider {
  return {
    id: 'openai',
    label: 'OpenAI',
    needsKey: true,
    assumes: (name) => ({ vision: true, thinking: !/^(gpt-3|gpt-4|chatgpt)/.test(name) }),
    isReady: async () => Boolean((await settings.apiKey())?.trim()),
    client: (model) => {
      const baseUrl = settings.baseUrl ?? OWN_ADDRESS;
      const own = new RegExp(`^${OWN_ADDRESS.replaceAll('.', '\\.')}/*$`).test(baseUrl);
      const target = {
        label: 'OpenAI',
        baseUrl,
        model,
        keyVariable: 'OPENAI_API_KEY',
        needsKey: true,
        ...wayOf(settings),
      };
      const { api = 'auto' } = settings;
      if (api === 'responses' || (api === 'auto' && own)) {
        return lazyClient(async () => (await import('../sdkClients')).openaiResponses(target));
      }
      const quirks = own ? OWN_QUIRKS : USUAL_QUIRKS;
      return lazyClient(async () => {
        const { openaiChat, thinkTags } = await import('../sdkClients');
        const chat = openaiChat({ ...target, quirks });
        return own ? chat : thinkTags(chat);
      });
    },
  };
}
