import type { LlmClient } from '../../../../src/engine/llm/llmClient';
import { unlistedModel } from '../../../../src/engine/llm/model';
import type { Provider, ProviderSettings } from '../../../../src/engine/llm/provider';
import { anthropicProvider } from '../../../../src/engine/llm/providers/anthropic';
import { openaiProvider } from '../../../../src/engine/llm/providers/openai';

export interface Vendor {
  label: string;
  /** The API. */
  speaks: 'chat' | 'responses' | 'messages';
  modelId: string;
  keyVariable: string;
  /** The vendor's response if the conversation is too long. */
  overflow: object;
  client(baseUrl: string, key?: string): LlmClient;
}

/** As if all clients belonged to one engine. */
const answered = new Set<string>();

function settings(baseUrl: string, key: string): ProviderSettings {
  return { baseUrl, apiKey: () => Promise.resolve(key), answered };
}

function clientOf(provider: Provider, id: string): LlmClient {
  return provider.client(unlistedModel(id, provider.assumes?.(id)));
}

const OPENAI_OVERFLOW = {
  error: { message: "This model's maximum context length is 9 tokens.", code: 'context_length_exceeded' },
};

/** Every provider behavior is tested over all three APIs. */
export const VENDORS: readonly Vendor[] = [
  {
    label: 'OpenAI',
    speaks: 'chat',
    modelId: 'openai:test-model',
    keyVariable: 'OPENAI_API_KEY',
    overflow: OPENAI_OVERFLOW,
    client: (baseUrl, key = 'test-key') => clientOf(openaiProvider(settings(baseUrl, key)), 'openai:test-model'),
  },
  {
    label: 'OpenAI',
    speaks: 'responses',
    modelId: 'openai:test-model',
    keyVariable: 'OPENAI_API_KEY',
    overflow: OPENAI_OVERFLOW,
    client: (baseUrl, key = 'test-key') =>
      clientOf(openaiProvider({ ...settings(baseUrl, key), api: 'responses' }), 'openai:test-model'),
  },
  {
    label: 'Anthropic',
    speaks: 'messages',
    modelId: 'anthropic:test-model',
    keyVariable: 'ANTHROPIC_API_KEY',
    overflow: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    client: (baseUrl, key = 'test-key') => clientOf(anthropicProvider(settings(baseUrl, key)), 'anthropic:test-model'),
  },
];
