import assert from 'node:assert/strict';
import { EngineError } from '../../../src/engine/engineError';
import { loadModelCatalog, ModelCatalog } from '../../../src/engine/llm/modelCatalog';
import type { Middleware } from '../../../src/engine/llm/llmClient';
import { anthropicProvider } from '../../../src/engine/llm/providers/anthropic';
import { demoProvider } from '../../../src/engine/llm/providers/demo';
import { openaiProvider } from '../../../src/engine/llm/providers/openai';
import { ProviderRegistry } from '../../../src/engine/llm/providerRegistry';
import { instantClock } from './instantClock';
import { eventsOf, request, textIn, user } from './support';

const noKey = { apiKey: () => Promise.resolve(undefined) };
const providers = [openaiProvider(noKey), anthropicProvider(noKey), demoProvider(instantClock())];

describe('ProviderRegistry', () => {
  const registry = new ProviderRegistry(providers, loadModelCatalog());

  it('resolves a listed model and an unlisted one', () => {
    assert.equal(registry.resolve('openai:gpt-4.1').model.contextWindow, 1_047_576);
    const { model, provider } = registry.resolve('openai:meta/llama:free');
    assert.deepEqual([provider.id, model.label, model.contextWindow], ['openai', 'meta/llama:free', null]);
  });

  for (const [id, reason, says] of [
    ['', 'invalid-input', /No model is chosen/],
    ['gpt-5', 'invalid-input', /"gpt-5" names no model.*provider:model/],
    [':gpt-5', 'invalid-input', /names no model/],
    ['openai:', 'invalid-input', /names no model/],
    ['openai:a b', 'invalid-input', /names no model/],
    ['acme:gpt-5', 'not-found', /unknown provider, "acme"/],
    ['__proto__:x', 'not-found', /unknown provider/],
  ] as const) {
    it(`rejects "${id}" and lists the existing providers`, () => {
      assert.throws(
        () => registry.resolve(id),
        (error) =>
          EngineError.is(error, reason) &&
          says.test(error.message) &&
          error.message.includes('openai, anthropic, demo'),
      );
    });
  }

  it('lists the models of the existing providers', () => {
    const demoOnly = new ProviderRegistry([demoProvider(instantClock())], loadModelCatalog());
    assert.deepEqual(
      demoOnly.models().map(({ model }) => model.id),
      ['demo:tour'],
    );
  });

  it('wraps its middleware around every client, the first outermost', async () => {
    const order: string[] = [];
    const named = (name: string): Middleware => {
      return (next) => ({
        stream(question, signal) {
          order.push(name);
          return next.stream(question, signal);
        },
      });
    };
    const wrapped = new ProviderRegistry(providers, loadModelCatalog(), [named('outer'), named('inner')]);
    assert.match(textIn(await eventsOf(wrapped.resolve('demo:tour').client, request([user('Hi')]))), /welcome/);
    assert.deepEqual(order, ['outer', 'inner']);
  });

  it('knows which providers are ready', async () => {
    assert.deepEqual(await Promise.all(registry.providers.map((provider) => provider.isReady())), [false, false, true]);
    const keyed = openaiProvider({ apiKey: () => Promise.resolve('k') });
    assert.equal(await keyed.isReady(), true);
  });
});

describe('ModelCatalog', () => {
  it('includes the tour and models of both vendors, each once', () => {
    const ids = loadModelCatalog().models.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const prefix of ['openai:', 'anthropic:', 'demo:tour']) assert.ok(ids.some((id) => id.startsWith(prefix)));
  });

  it('finds a model although another entry of the list is damaged', () => {
    const listed = ModelCatalog.of([{ id: 'broken' }, { id: 'a:b', label: 'B' }], 'my/models.yaml');
    assert.equal(listed.find('a:b')?.label, 'B');
  });

  it('reports where a list is invalid', () => {
    const damaged = [{ id: 'gpt', label: 'GPT', contextWindow: -1, maxOutputTokens: null, price: 3 }];
    assert.throws(
      () => ModelCatalog.of(damaged, 'my/models.yaml').models,
      (error) =>
        EngineError.is(error, 'damaged') &&
        ['my/models.yaml', 'must be written provider:model', 'contextWindow', 'price'].every((word) =>
          error.message.includes(word),
        ),
    );
  });
});
