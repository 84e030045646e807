import type { Provider } from './llm/provider';
import { anthropicProvider } from './llm/providers/anthropic';
import { demoProvider } from './llm/providers/demo';
import { openaiProvider } from './llm/providers/openai';
import type { Clock, SecretStore } from './ports';
import type { EngineSettings } from './settings';

/** Every provider. Settings are read with each request, so that a change counts at once. */
export function builtinProviders(settings: () => EngineSettings, secrets: SecretStore, clock: Clock): Provider[] {
  return [
    openaiProvider({
      get baseUrl() {
        return settings().openai.baseUrl;
      },
      apiKey: () => secrets.get('apiKey.openai'),
    }),
    anthropicProvider({
      get baseUrl() {
        return settings().anthropic.baseUrl;
      },
      apiKey: () => secrets.get('apiKey.anthropic'),
    }),
    demoProvider(clock),
  ];
}
