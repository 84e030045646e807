import assert from 'node:assert/strict';
import * as z from 'zod';
import { onDispose } from '../../../src/base/disposable';
import { engineSettingsSchema } from '../../../src/engine';
import { openApi } from '../../../src/host/api/openApi';
import { LiveChats } from '../../../src/chat/liveChats';
import { KeptMessages } from '../../../src/chat/keptMessages';
import type { CairnApi, PluginTool } from '../../../src/library';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { memory } from '../../support/openChat';

function chatsOf({ engine, folder, warnings }: EngineWorld): LiveChats {
  const tell = (text: string) => void warnings.push(text);
  const log = { info: tell, warn: tell, error: tell };
  return new LiveChats({
    engine,
    workspace: { folder, welcome: () => Promise.resolve({ workspaceName: 'w', found: [], starters: [] }) },
    settings: () => engineSettingsSchema.parse({ model: 'openai:test-model' }),
    log,
    kept: new KeptMessages(memory(), log),
    toReview: () => [],
    read: () => Promise.resolve([]),
    onOpened: () => onDispose(() => undefined),
  });
}

function withApi(use: (api: CairnApi, world: EngineWorld) => Promise<void>): Promise<void> {
  return withWorld({ story: [{ call: [{ name: 'acme_tell', arguments: {} }] }, { say: 'Done.' }] }, async (world) => {
    const chats = chatsOf(world);
    await use(openApi({ engine: world.engine, chats, show: () => Promise.resolve() }), world);
    chats.dispose();
  });
}
const tool: PluginTool = {
  name: 'acme_tell',
  description: 'Tells',
  category: 'read',
  inputSchema: { type: 'object' },
  run: () => Promise.resolve('a heron'),
};

describe('what other extensions are given', () => {
  it('does for an extension that knows version 1 all that it did', () =>
    withApi(async (api, world) => {
      assert.match(api.version, /^1\./);
      const heard: string[] = [];
      const given = [
        api.registerTool(tool),
        api.registerSkill({ name: 'tides', description: 'Tides', body: 'Look at the moon.' }),
        api.registerAgent({ name: 'own', description: 'Own', prompt: 'You are own.' }),
        api.onEvent(({ type }) => heard.push(type)),
      ];
      const run = await api.run({ input: 'tell', agent: 'own', model: 'openai:test-model', approvalMode: 'nothing' });
      assert.deepEqual(await run.outcome, { kind: 'completed', answer: 'Done.' });
      assert.match(world.server.requests[1]?.lastText ?? '', /a heron/);
      assert.ok(heard.includes('run-finished'));
      for (const one of given) one.dispose();
      assert.equal(world.engine.tools.get('acme_tell'), undefined);
    }));

  it('has version 2 beside it, whose middleware comes and goes', () =>
    withApi(async (api, world) => {
      const second = api.getApi(2);
      assert.match(second.version, /^2\./);
      const given = second.use({ name: 'told', beforeModel: () => ({ system: 'Be brief.' }) });
      second.registerTool(tool);
      const asked = { input: 'tell', model: 'openai:test-model', approvalMode: 'nothing' } as const;
      world.engine.onEvent(({ type }) => type === 'tool-finished' && given.dispose());
      await (
        await second.run(asked)
      ).outcome;
      assert.deepEqual(
        world.server.requests.map(({ messages }) => messages[0]?.text === 'Be brief.'),
        [true, false],
      );
    }));

  it('refuses a version that there is not, and says which there are', () =>
    withApi((api) => {
      // As from an extension whose types nobody checked.
      const third = z.custom<2>(() => true).parse(3);
      assert.throws(() => api.getApi(third), /no version 3 .*getApi\(2\)/);
      return Promise.resolve();
    }));
});
