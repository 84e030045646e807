import type { Provider } from '../provider';
import { openaiChat } from '../sdk/openaiChat';
import type { ProviderSettings } from './providerSettings';

const OWN_ADDRESS = 'https://api.openai.com/v1';

/** OpenAI, or any host that speaks its Chat Completions at `baseUrl` (which ends in `/v1` as a rule). */
export function openaiProvider(settings: ProviderSettings): Provider {
  return {
    id: 'openai',
    label: 'OpenAI',
    needsKey: true,
    isReady: async () => Boolean((await settings.apiKey())?.trim()),
    client: (model) => {
      const baseUrl = settings.baseUrl ?? OWN_ADDRESS;
      return openaiChat({
        label: 'OpenAI',
        baseUrl,
        model,
        keyVariable: 'OPENAI_API_KEY',
        limitField: baseUrl === OWN_ADDRESS ? 'max_completion_tokens' : 'max_tokens',
        apiKey: () => settings.apiKey(),
      });
    },
  };
}
