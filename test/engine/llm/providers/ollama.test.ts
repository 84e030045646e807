import assert from 'node:assert/strict';
import { ModelCatalog } from '../../../../src/engine/llm/modelCatalog';
import { ollamaProvider } from '../../../../src/engine/llm/providers/ollama';
import { ProviderRegistry } from '../../../../src/engine/llm/providerRegistry';
import { startModelServer } from '../../../support/modelServer/modelServer';
import type { Story } from '../../../support/modelServer/story';
import { instantClock } from '../instantClock';
import { eventsOf, NEVER, request, seeing, textIn } from '../support';

const noKey = () => Promise.resolve(undefined);
const MODELS = { 'qwen3:8b': ['completion', 'tools', 'thinking'], 'gemma3:4b': ['completion', 'vision'] };
const TOOLS = [{ name: 'fs_read', description: 'Reads.', parameters: { type: 'object' } }];

async function withOllama(story: Story, use: (baseUrl: string, requests: () => unknown[]) => Promise<void>) {
  const server = await startModelServer(story, { key: '', ollama: MODELS });
  try {
    await use(`http://127.0.0.1:${server.port}`, () => server.requests.map(({ body }) => body));
  } finally {
    await server.close();
  }
}

describe('The Ollama provider', () => {
  it('is detected when running, with its models and without a key', () =>
    withOllama([], async (baseUrl) => {
      for (const address of [baseUrl, `${baseUrl}/`, `${baseUrl}/v1`]) {
        const ollama = ollamaProvider({ baseUrl: address, apiKey: noKey }, instantClock());
        assert.equal(await ollama.isReady(), true);
        const models = (await ollama.listModels?.(NEVER)) ?? [];
        assert.deepEqual(
          models.map(({ id }) => id),
          ['ollama:qwen3:8b', 'ollama:gemma3:4b'],
        );
      }
    }));

  it('is silently unavailable when no server or another one responds', () =>
    withOllama([], async (baseUrl) => {
      for (const address of ['http://127.0.0.1:9', `${baseUrl}/elsewhere`]) {
        const ollama = ollamaProvider({ baseUrl: address, apiKey: noKey }, instantClock());
        assert.equal(await ollama.isReady(), false);
        assert.deepEqual(await ollama.listModels?.(NEVER), []);
      }
    }));

  it('sends only what its server says the model supports', () =>
    withOllama([{ say: 'One.' }, { say: 'Two.' }], async (baseUrl, requests) => {
      const ollama = ollamaProvider({ baseUrl, apiKey: noKey }, instantClock());
      const registry = new ProviderRegistry([ollama], new ModelCatalog([]));
      const question = request([seeing('What is this?')], { tools: TOOLS });
      const blind = await eventsOf(registry.resolve('ollama:qwen3:8b').client, question);
      assert.deepEqual([blind[0]?.type, textIn(blind)], ['notice', 'One.']);
      assert.match(JSON.stringify(requests()[0]), /cannot see pictures.*"tools"/);
      const handless = await eventsOf(registry.resolve('ollama:gemma3:4b').client, question);
      assert.deepEqual([handless[0]?.type, textIn(handless)], ['notice', 'Two.']);
      assert.match(JSON.stringify(requests()[1]), /"image_url"/);
      assert.doesNotMatch(JSON.stringify(requests()[1]), /"tools"/);
    }));
});
