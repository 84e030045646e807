import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/deferred';
import { onDispose } from '../../src/base/disposable';
import { engineSettingsSchema } from '../../src/engine';
import { LiveChats } from '../../src/host/chat/liveChats';
import { type EngineWorld, withWorld } from '../support/engineWorld';

describe('the chats of a window', () => {
  it('stay with the model that was just chosen, when what it was before is found out only after', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ model: null });
      const answered = new Deferred<void>();
      const modelFor = world.engine.modelFor.bind(world.engine);
      world.engine.modelFor = async (request) => {
        const id = await modelFor(request);
        await answered.promise;
        return id;
      };
      const before = chats.tellModel(chat);
      await chat.session.configure({ model: 'openai:gpt-5' });
      await chats.tellModel(chat);
      answered.resolve();
      await before;
      assert.equal(chat.state.model.id, 'openai:gpt-5');
      chats.dispose();
    }));

  it('have the starters of the agent that was chosen last', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ agent: 'demo' });
      const answered = new Deferred<void>();
      const startersOf = world.engine.starters.bind(world.engine);
      world.engine.starters = async (agent) => {
        const starters = await startersOf(agent);
        if (agent === 'demo') await answered.promise;
        return starters;
      };
      const before = chats.tellSetup(chat);
      await chat.session.configure({ agent: 'coder' });
      await chats.tellSetup(chat);
      answered.resolve();
      await before;
      assert.equal(chat.state.setup.agent, 'coder');
      assert.deepEqual(chat.state.setup.starters, await world.engine.starters('coder'));
      chats.dispose();
    }));
});

function chatsOf({ engine, folder, warnings }: EngineWorld): LiveChats {
  return new LiveChats({
    engine,
    workspace: { folder, welcome: () => Promise.resolve({ workspaceName: 'w', found: [], starters: [] }) },
    settings: () => engineSettingsSchema.parse({}),
    log: { warn: (text) => warnings.push(text), error: (text) => warnings.push(text), info: () => undefined },
    toReview: () => [],
    onOpened: () => onDispose(() => undefined),
  });
}
