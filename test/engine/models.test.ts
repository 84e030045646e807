import assert from 'node:assert/strict';
import { createEngine, engineSettingsSchema } from '../../src/engine';
import { nodePorts } from '../../src/node/nodePorts';
import { ASSETS_FOLDER } from '../support/assetsFolder';
import { withWorld } from '../support/engineWorld';
import { startModelServer } from '../support/modelServer/modelServer';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOWHERE = 'http://127.0.0.1:9';

function engineWith(env: NodeJS.ProcessEnv, ollama: string, more: object = {}) {
  return createEngine({
    ports: nodePorts({ env, ripgrepCandidates: [], log }),
    settings: () => engineSettingsSchema.parse({ ollama: { baseUrl: ollama }, ...more }),
    approvals: { ask: () => Promise.resolve({ kind: 'once' }) },
    prompter: { ask: () => Promise.resolve({ kind: 'nobody' }) },
    sessionsFolder: '/nowhere',
    configFolder: '/nowhere',
    assetsFolder: ASSETS_FOLDER,
    platform: 'linux',
  });
}

describe('the models that can be chosen', () => {
  it('begin with those that are ready, a local Ollama among them, and end with the tour', async () => {
    const server = await startModelServer([], { key: '', ollama: { 'qwen3:8b': ['tools'] } });
    try {
      const engine = engineWith({}, `http://127.0.0.1:${server.port}`);
      const models = await engine.models();
      assert.deepEqual([models[0]?.model.id, models[0]?.ready], ['ollama:qwen3:8b', true]);
      assert.equal(models.at(-1)?.model.id, 'demo:tour');
      assert.equal(await engine.defaultModel(), 'ollama:qwen3:8b');
    } finally {
      await server.close();
    }
  });

  it('default to the first with a key, without asking any server, else to the tour', async () => {
    assert.match(await engineWith({ ANTHROPIC_API_KEY: 'k' }, NOWHERE).defaultModel(), /^anthropic:/);
    assert.equal(await engineWith({}, NOWHERE).defaultModel(), 'demo:tour');
  });

  it('are what the person says of them, before what the catalog says', async () => {
    const models = [
      { id: 'custom:mine', label: 'Mine', contextWindow: 4096, abilities: { vision: true } },
      { id: 'openai:gpt-5', label: 'My GPT', prices: { input: 1, output: 2 } },
    ];
    const engine = engineWith({}, NOWHERE, { models });
    const mine = engine.describeModel('custom:mine');
    assert.deepEqual([mine.contextWindow, mine.abilities.vision, mine.abilities.tools], [4096, true, true]);
    assert.equal(engine.describeModel('openai:gpt-5').prices?.input, 1);
    const listed = await engine.models();
    assert.equal(listed.filter(({ model }) => model.id === 'openai:gpt-5').length, 1);
    assert.ok(listed.some(({ model }) => model.label === 'Mine'));
  });

  it('work over a server of the person with nothing known of them', () =>
    withWorld({ story: [{ say: '<think>Hm.</think>Hello.' }] }, async (world) => {
      const { outcome, events } = await world.play('Hi', { model: 'custom:test-model' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Hello.' });
      assert.ok(events.some(({ type }) => type === 'thinking-finished'));
    }));
});
