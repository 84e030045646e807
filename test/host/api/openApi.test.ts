import assert from 'node:assert/strict';
import * as z from 'zod';
import { onDispose } from '../../../src/base/disposable';
import { LiveChats } from '../../../src/chat/liveChats';
import { KeptMessages } from '../../../src/chat/messageQueue';
import { engineSettingsSchema } from '../../../src/engine';
import { openApi } from '../../../src/host/openApi';
import type { CairnApi, PluginTool } from '../../../src/library';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { memory } from '../../support/openChat';

function chatsOf({ engine, folder, warnings }: EngineWorld): LiveChats {
  const tell = (text: string) => void warnings.push(text);
  const log = { info: tell, warn: tell, error: tell };
  return new LiveChats({
    engine,
    workspace: {
      folder,
      isTrusted: true,
      welcome: () => Promise.resolve({ workspaceName: 'w', project: [], instructions: [], starters: [] }),
    },
    settings: () => engineSettingsSchema().parse({ model: 'openai:test-model' }),
    log,
    kept: new KeptMessages(memory(), log),
    toReview: () => [],
    read: () => Promise.resolve([]),
    onOpened: () => onDispose(() => undefined),
  });
}

function withApi(use: (api: CairnApi, world: EngineWorld) => Promise<void>): Promise<void> {
  const story = [{ call: [{ name: 'acme_tell', arguments: {} }] }, { say: 'Done.' }, { say: 'Grey.' }];
  return withWorld({ story }, async (world) => {
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

describe('The extension API', () => {
  it('still supports an extension that uses version 1', () =>
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

  it('also offers version 2, whose middleware can be added and removed', () =>
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

  it('lets an extension wrap or replace a tool until it disposes the change', () =>
    withApi(async (api, world) => {
      const second = api.getApi(2);
      second.registerTool(tool);
      const wrapped = second.wrapTool('acme_tell', async ({ next }) => `${(await next()).text} in the reeds`);
      const call = async () => (await world.engine.callTool('acme_tell', {}, { workspace: world.folder })).text;
      assert.equal(await call(), 'a heron in the reeds');
      const replaced = second.replaceTool({ ...tool, run: () => Promise.resolve('a crane') });
      assert.match(await call(), /^a crane/);
      replaced.dispose();
      wrapped.dispose();
      assert.equal(await call(), 'a heron');
      assert.throws(() => second.wrapTool('acme_tel', () => Promise.resolve('')), /acme_tel/);
    }));

  it('gives an extension models, roles and sessions, and asks a model for it', () =>
    withApi(async (api, world) => {
      const second = api.getApi(2);
      second.registerTool(tool);
      const run = await second.run({ input: 'tell', model: 'openai:test-model', approvalMode: 'nothing' });
      await run.outcome;
      const { id, model } = (await second.sessions.list())[0] ?? assert.fail('no session');
      assert.deepEqual([id, model], [run.sessionId, 'openai:test-model']);
      assert.equal((await second.sessions.metadata(id)).workspace, world.folder);
      assert.deepEqual(
        (await second.sessions.messages(id)).map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant'],
      );
      await assert.rejects(second.sessions.messages('00000000-0000-4000-8000-000000000000'), /session/);
      assert.ok((await second.models()).some((one) => one.model.id === 'demo:tour' && one.ready));
      assert.ok((await second.roles()).some(({ name }) => name === 'explain-shell'));
      assert.equal(await second.ask('openai:test-model', { system: 'Be brief.', text: 'Which colour?' }), 'Grey.');
    }));

  it('lets an extension add a rule until disposed, and check what would happen to a call', () =>
    withApi(async (api, { folder }) => {
      const { rules, registerTool } = api.getApi(2);
      registerTool({ ...tool, category: 'execute' });
      const check = async () => (await rules.check('acme_tell', {}, { workspace: folder })).action;
      assert.equal(await check(), 'ask');
      const added = rules.add({ id: 'acme', action: 'deny', tool: 'acme_tell' });
      assert.equal(await check(), 'deny');
      assert.deepEqual(
        rules.list().map(({ id }) => id),
        ['acme'],
      );
      added.dispose();
      assert.equal(await check(), 'ask');
    }));

  it('rejects an unknown version and lists the known ones', () =>
    withApi((api) => {
      // As passed by an extension whose types were not checked.
      const third = z.custom<2>(() => true).parse(3);
      assert.throws(() => api.getApi(third), /no version 3.*getApi\(2\)/);
      return Promise.resolve();
    }));
});
