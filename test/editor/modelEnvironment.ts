import type { ModelServer } from '../support/modelServer/modelServer';

/** Returns an environment that points both vendors to this server, with an API key unless `key` is false. */
export function modelEnvironment({ url }: ModelServer, key = true): Record<string, string> {
  const addresses = { OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, OLLAMA_HOST: '127.0.0.1:9' };
  return key ? { ...addresses, OPENAI_API_KEY: 'test-key', ANTHROPIC_API_KEY: 'test-key' } : addresses;
}
