import type { LlmClient } from '../../../../src/engine/llm/llmClient';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { ollamaProvider } from '../../../../src/engine/llm/providers/ollama';
import { instantClock } from '../instantClock';
import { VENDORS } from './vendors';

export interface Protocol {
  label: string;
  client(baseUrl: string): LlmClient;
}

/** All protocols over which answers arrive: the vendors' APIs and a local server. */
export const PROTOCOLS: readonly Protocol[] = [
  ...VENDORS.map((vendor) => ({
    label: `${vendor.label} (${vendor.speaks})`,
    client: (baseUrl: string) => vendor.client(baseUrl),
  })),
  {
    label: 'Ollama',
    client: (baseUrl) => {
      const settings = { baseUrl, apiKey: () => Promise.resolve('test-key') };
      return ollamaProvider(settings, instantClock()).client(unlistedModel('ollama:m'));
    },
  },
];
