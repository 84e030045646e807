import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { createEngine, engineSettingsSchema, type ListedModel, type LlmEvent, type Provider } from '../../src/engine';
import { nodePorts } from '../../src/node/nodePorts';
import { poll } from '../node/poll';
import { ASSETS_FOLDER } from '../support/assetsFolder';
import { withWorld } from '../support/engineWorld';
import { startModelServer } from '../support/modelServer/modelServer';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOWHERE = 'http://127.0.0.1:9';

const NEVER = new AbortController().signal;

async function* neverAsked(): AsyncGenerator<LlmEvent, void, void> {
  throw new Error('No model is asked here.');
}

function engineWith(env: NodeJS.ProcessEnv, ollama: string, more: object = {}, extraProviders: Provider[] = []) {
  return createEngine({
    ports: nodePorts({ env, ripgrepCandidates: [], log }),
    settings: () => engineSettingsSchema().parse({ ollama: { baseUrl: ollama }, ...more }),
    approvals: { ask: () => Promise.resolve({ kind: 'once' }) },
    prompter: { ask: () => Promise.resolve({ kind: 'nobody' }) },
    sessionsFolder: '/nowhere',
    configFolder: '/nowhere',
    assetsFolder: ASSETS_FOLDER,
    platform: 'linux',
    toursByItself: true,
    extraProviders,
  });
}

describe('The available models', () => {
  it('start with those that are ready, including a local Ollama, and end with the tour', async () => {
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

  it('default to the first with a key, without a request to any server, or else to the tour', async () => {
    assert.match(await engineWith({ ANTHROPIC_API_KEY: 'k' }, NOWHERE).defaultModel(), /^anthropic:/);
    assert.equal(await engineWith({}, NOWHERE).defaultModel(), 'demo:tour');
  });

  it('default to the first that is ready, with all providers queried in parallel and once each', async () => {
    const asked: string[] = [];
    const all = new Deferred<void>();
    const provider = (id: string, isReady: boolean): Provider => ({
      ...{ id, label: id, needsKey: true },
      isReady: async () => {
        asked.push(id);
        if (asked.length === 2) all.resolve();
        await all.promise;
        return isReady;
      },
      client: () => ({ stream: neverAsked }),
    });
    const models = ['one:a', 'one:b', 'other:a'].map((id) => ({ id, label: id }));
    const engine = engineWith({}, NOWHERE, { models }, [provider('one', false), provider('other', true)]);
    assert.equal(await engine.defaultModel(), 'other:a');
    assert.deepEqual(asked, ['one', 'other']);
  });

  it('do not wait for a slow provider, whose models can be chosen once it responds', async () => {
    const answered = new Deferred<readonly ListedModel[]>();
    const slow: Provider = {
      ...{ id: 'slow', label: 'Slow', needsKey: false, slowToList: true },
      isReady: async () => (await answered.promise).length > 0,
      listModels: () => answered.promise,
      client: () => ({ stream: neverAsked }),
    };
    const engine = engineWith({}, NOWHERE, {}, [slow]);
    assert.equal(await engine.defaultModel(), 'demo:tour');
    const shown: string[][] = [];
    const all = engine.models(NEVER, (known) => shown.push(known.map(({ model }) => model.id)));
    await poll('the others', () => Promise.resolve(shown.at(-1)?.includes('demo:tour') === true));
    assert.equal(shown.at(-1)?.includes('slow:one'), false);
    answered.resolve([
      { id: 'slow:one', label: 'One', contextWindow: null, maxOutputTokens: null, prices: null, abilities: {} },
    ]);
    assert.equal((await all)[0]?.model.id, 'slow:one');
    assert.equal(shown.at(-1)?.[0], 'slow:one');
  });

  it("of a user's own server that is not running need no key", async () => {
    const models = [{ id: 'ollama:mine', label: 'Mine' }];
    const listed = await engineWith({}, NOWHERE, { models }).models();
    const [mine, other] = ['ollama:mine', 'openai:gpt-5'].map((id) => listed.find(({ model }) => model.id === id));
    assert.deepEqual([mine?.ready, mine?.needsKey], [false, false]);
    assert.deepEqual([other?.ready, other?.needsKey], [false, true]);
  });

  it("are described by the user's settings before the catalog", async () => {
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

  it("work over a user's own server without any metadata", () =>
    withWorld({ story: [{ say: '<think>Hm.</think>Hello.' }] }, async (world) => {
      const { outcome, events } = await world.play('Hi', { model: 'custom:test-model' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Hello.' });
      assert.ok(events.some(({ type }) => type === 'thinking-finished'));
    }));
});
