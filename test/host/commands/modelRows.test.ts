import assert from 'node:assert/strict';
import type { Model, ModelListing } from '../../../src/engine';
import { isOffered, modelFacts, modelLines } from '../../../src/host/commands/modelRows';

const prices = { input: 1.25, output: 10, cachedInput: null, cacheWrite: null, long: null };
const model = (id: string, more: Partial<Model> = {}): Model => ({
  ...{ id, label: id.toUpperCase(), contextWindow: 400_000, maxOutputTokens: null, prices },
  abilities: { tools: true, forcedCalls: true, vision: false, thinking: false, caching: false },
  ...more,
});
const listing = (id: string, more: Partial<ModelListing> = {}): ModelListing => ({
  ...{ model: model(id), provider: id.split(':')[0] ?? '', ready: true, needsKey: true, scripted: false },
  ...more,
});
const shown = (listings: readonly ModelListing[], current: string) =>
  modelLines(listings, current, () => listing(current)).map((line) =>
    'heading' in line ? `# ${line.heading}` : line.listing.model.id,
  );

describe('Model rows', () => {
  it('begin with the current model, and are listed under their providers', () => {
    const all = ['openai:a', 'anthropic:b', 'openai:c', 'demo:tour'].map((id) => listing(id));
    assert.deepEqual(shown(all, 'openai:c'), [
      ...['# Current', 'openai:c', '# openai', 'openai:a', '# anthropic', 'anthropic:b', '# demo', 'demo:tour'],
    ]);
  });

  it('include the current model even if no list has it, unless its provider is gone', () => {
    assert.deepEqual(shown([listing('openai:a')], 'openai:new'), ['# Current', 'openai:new', '# openai', 'openai:a']);
    assert.deepEqual(
      modelLines([], 'gone:x', () => undefined),
      [],
    );
  });

  it('leave out models without a key, except for the current one', () => {
    const lacks = listing('openai:a', { ready: false });
    assert.equal(isOffered(lacks, 'openai:b'), false);
    assert.equal(isOffered(lacks, 'openai:a'), true);
    assert.equal(isOffered(listing('ollama:a', { ready: false, needsKey: false }), 'openai:b'), true);
  });

  it('show the context and the prices where known', () => {
    assert.equal(modelFacts(model('openai:a')), 'openai:a · 400k context · $1.25 in, $10 out');
    assert.equal(modelFacts(model('x:a', { contextWindow: 1_050_000, prices: null })), 'x:a · 1.1M context');
    assert.equal(modelFacts(model('x:a', { contextWindow: null, prices: null })), 'x:a');
  });
});
