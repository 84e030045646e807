import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../src/base/async';
import { ChatUserPrompter } from '../../src/chat/chatApprovalHandler';
import type { LiveChat } from '../../src/chat/liveChat';
import { KeptMessages, type Memory } from '../../src/chat/messageQueue';
import { until } from '../editor/until';
import { chatsOf } from '../support/chatsOf';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { memory, openChat } from '../support/openChat';
import { otherWindow } from '../support/otherWindow';

const waiting = ({ state }: LiveChat) => state.queued.map(({ text }) => text);
const asked = ({ server }: EngineWorld) =>
  server.requests.map(({ messages }) => messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])));
const turns = ({ state }: LiveChat) => state.entries.flatMap((entry) => (entry.kind === 'turn' ? [entry] : []));
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function untilTurns(chat: LiveChat, ...outcomes: string[]): Promise<void> {
  await until(`${outcomes.join()} turns`, () =>
    Promise.resolve(
      turns(chat)
        .map(({ outcome }) => outcome)
        .join() === outcomes.join() && chat.state.run === null,
    ),
  );
}

describe('A queued message', () => {
  it('that is sent now stops the agent, which goes on with it', () =>
    withWorld({ story: [{ say: 'A long answer', hold: 'forever' }, { say: 'At once.' }] }, async (world) => {
      const chat = await openChat(world);
      chat.run({ text: 'first' });
      await world.server.untilRequests(1);
      chat.steer({ text: 'second' });
      assert.deepEqual(waiting(chat), ['second']);
      await chat.sendNow();
      await untilTurns(chat, 'cancelled', 'completed');
      assert.deepEqual(asked(world).at(-1), ['first', 'second']);
      assert.deepEqual(waiting(chat), []);
    }));

  it('that is sent now does not stop a run that is about to begin with another', () =>
    withWorld({ story: [{ say: 'Both.' }] }, async (world) => {
      const chat = await openChat(world);
      const { outcome } = chat.run({ text: 'first' });
      chat.steer({ text: 'second' });
      await chat.sendNow();
      assert.equal((await outcome).kind, 'completed');
      await untilTurns(chat, 'completed');
      assert.deepEqual(asked(world), [['first', 'second']]);
    }));

  it('cancels the run that was to begin with it when it is withdrawn', () =>
    withWorld({ story: [{ say: 'Never asked.' }] }, async (world) => {
      const other = await otherWindow(world);
      const chat = await openChat(world);
      const { outcome } = chat.run({ text: 'first' });
      await until('it to wait', () => Promise.resolve(waiting(chat).length === 1));
      assert.equal(chat.withdraw(chat.state.queued[0]?.id ?? '')?.text, 'first');
      assert.equal((await outcome).kind, 'cancelled');
      await other.end();
      assert.deepEqual([waiting(chat), world.server.requests], [[], []]);
    }));

  it('does not become the message that its turn began with', () =>
    withWorld(
      { story: [{ say: 'First.', hold: 'it', call: [{ name: 'fs_ls', arguments: {} }] }, { say: 'Done.' }] },
      async (world) => {
        const chat = await openChat(world);
        chat.run({ text: 'first' });
        await world.server.untilRequests(1);
        chat.steer({ text: 'second' });
        world.server.release('it');
        await untilTurns(chat, 'completed');
        const [first, second] = chat.state.entries.filter(({ kind }) => kind === 'user');
        assert.deepEqual([first?.id, second?.kind], [turns(chat)[0]?.messageId, 'user']);
      },
    ));

  it('that is a command is expanded again after a reload', () => {
    const files = { '.cairn/commands/tidy.md': '---\ndescription: Tidies\n---\nTidy up $ARGUMENTS, please.' };
    return withWorld({ files, story: [{ say: 'Tidy.' }] }, async (world) => {
      const other = await otherWindow(world);
      const inMemory = memory();
      const before = await openChat(world, { inMemory });
      await before.send({ text: '/tidy the shed', items: [] });
      await until('it to wait', () => Promise.resolve(waiting(before).length === 1));
      await world.engine.shutDown();
      const chat = await openChat(await world.restart(), { inMemory });
      await other.end();
      await chat.sendNow();
      await untilTurns(chat, 'completed');
      assert.match(asked(world).at(-1)?.join() ?? '', /Tidy up the shed, please\./);
    });
  });
});

describe('The messages stored for a reload', () => {
  it('are those of the last change, even if an earlier one takes longer to store', () =>
    withWorld({}, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      const inMemory = memory();
      const slow = new Deferred<void>();
      let updates = 0;
      const update: Memory['update'] = async (key, value) => {
        if (++updates === 1) await slow.promise;
        await inMemory.update(key, value);
      };
      const kept = new KeptMessages({ ...inMemory, update }, silent);
      kept.keep(session, [{ id: 'a', text: 'one' }]);
      kept.keep(session, [{ id: 'b', text: 'two' }]);
      await until('the first to be stored', () => Promise.resolve(updates > 0));
      await new Promise(setImmediate);
      slow.resolve();
      await until('the second', () => Promise.resolve(updates === 2));
      await new Promise(setImmediate);
      assert.deepEqual(
        kept.of(session).map(({ text }) => text),
        ['two'],
      );
    }));
});

describe('A session that could not be opened', () => {
  it('can be opened once it is there again', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      await world.play('first');
      const again = await world.restart();
      const [here, away] = [world.sessionId, 'away'].map((name) => join(world.sessionsFolder, name));
      assert.ok(here !== undefined && away !== undefined);
      const chats = chatsOf(again);
      await rename(here, away);
      await assert.rejects(chats.open(world.sessionId));
      await rename(away, here);
      assert.equal((await chats.open(world.sessionId)).state.title, 'first');
      chats.dispose();
    }));
});

describe('A call that was cut off', () => {
  it('has a card that is cancelled when its session is opened again', () =>
    withWorld(
      { story: [{ call: [{ name: 'execute_command', arguments: { command: 'sleep 600' } }] }] },
      async (world) => {
        const handle = world.run('go');
        for await (const event of handle.events()) if (event.type === 'tool-started') break;
        await world.engine.shutDown();
        const { state } = await openChat(await world.restart());
        const card = state.entries.find((entry) => entry.kind === 'tool');
        assert.deepEqual([card?.status, state.canResume], ['cancelled', true]);
      },
    ));
});

describe('A question for the user', () => {
  it('is not asked when the run is already over', async () => {
    const question = { id: 'q', sessionId: 's', callId: 'c', agent: 'coder', question: 'Go on?', options: [] };
    const prompter = new ChatUserPrompter();
    await assert.rejects(prompter.ask({ ...question, kind: 'confirm' }, AbortSignal.abort()), { name: 'AbortError' });
    assert.throws(() => prompter.answer('q', ['yes']), /already answered, or its run is over/);
  });
});
