import type { Provider } from './llm/provider';
import { anthropicProvider } from './llm/providers/anthropic';
import { COMPATIBLE_HOSTS, type CompatibleHostId } from './llm/providers/compatibleHosts';
import { demoProvider } from './llm/providers/demo';
import { ollamaProvider } from './llm/providers/ollama';
import { openaiProvider } from './llm/providers/openai';
import { openaiCompatibleProvider } from './llm/providers/openaiCompatible';
import type { SdkTarget } from './llm/sdk/sdkTarget';
import type { Clock, Fetch, SecretStore } from './ports';
import type { EngineSettings } from './settings';

export interface BuiltinParts extends Pick<SdkTarget, 'proxySignIn'> {
  secrets: SecretStore;
  clock: Clock;
  fetch?: Fetch | undefined;
}

/** Returns all built-in providers. Settings are read on each request, so a change takes effect immediately. */
export function builtinProviders(
  settings: () => EngineSettings,
  { secrets, clock, proxySignIn, fetch }: BuiltinParts,
): Provider[] {
  const shared = { proxySignIn, fetch, idle: { clock, seconds: () => settings().idleTimeout } };
  const keyOf = (id: string) => () => secrets.get(`apiKey.${id}`);
  const at = (id: CompatibleHostId) => ({
    get baseUrl() {
      return id === 'custom' ? settings().custom.baseUrl : settings().providers.baseUrls[id];
    },
    apiKey: keyOf(id),
    ...shared,
  });
  return [
    openaiProvider({
      get baseUrl() {
        return settings().openai.baseUrl;
      },
      get api() {
        return settings().openai.api;
      },
      apiKey: keyOf('openai'),
      ...shared,
    }),
    anthropicProvider({
      get baseUrl() {
        return settings().anthropic.baseUrl;
      },
      apiKey: keyOf('anthropic'),
      ...shared,
    }),
    ...COMPATIBLE_HOSTS.map((host) => openaiCompatibleProvider(host, at(host.id), clock)),
    ollamaProvider(
      {
        get baseUrl() {
          return settings().ollama.baseUrl;
        },
        apiKey: keyOf('ollama'),
        ...shared,
      },
      clock,
    ),
    demoProvider(clock),
  ];
}
