import type { LlmClient } from '../../../../src/engine/llm/llmClient';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { anthropicProvider } from '../../../../src/engine/llm/providers/anthropic';
import { openaiProvider } from '../../../../src/engine/llm/providers/openai';
import type { ProviderSettings } from '../../../../src/engine/llm/providers/providerSettings';

export interface Vendor {
  label: string;
  modelId: string;
  keyVariable: string;
  /** What this vendor says when the conversation is too long. */
  overflow: object;
  client(baseUrl: string, key?: string): LlmClient;
}

function settings(baseUrl: string, key: string): ProviderSettings {
  return { baseUrl, apiKey: () => Promise.resolve(key) };
}

/** Every behaviour of a provider is tested over both SDKs. */
export const VENDORS: readonly Vendor[] = [
  {
    label: 'OpenAI',
    modelId: 'openai:test-model',
    keyVariable: 'OPENAI_API_KEY',
    overflow: {
      error: { message: "This model's maximum context length is 9 tokens.", code: 'context_length_exceeded' },
    },
    client: (baseUrl, key = 'test-key') =>
      openaiProvider(settings(baseUrl, key)).client(unlistedModel('openai:test-model')),
  },
  {
    label: 'Anthropic',
    modelId: 'anthropic:test-model',
    keyVariable: 'ANTHROPIC_API_KEY',
    overflow: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    client: (baseUrl, key = 'test-key') =>
      anthropicProvider(settings(baseUrl, key)).client(unlistedModel('anthropic:test-model')),
  },
];
