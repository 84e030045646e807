import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveChat } from '../../src/chat/liveChat';
import { until } from '../editor/until';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { openChat } from '../support/openChat';

const said = ({ state }: LiveChat) =>
  state.entries.flatMap((entry) => (entry.kind === 'user' || entry.kind === 'text' ? [entry.text] : []));
const notices = ({ state }: LiveChat) =>
  state.entries.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []));

async function untilSaid(chat: LiveChat, ...texts: string[]): Promise<void> {
  await until(`the chat to say ${texts.join()}`, () => said(chat).join() === texts.join());
}

/** An idle chat that a panel shows, in a window that only knows about its own runs. */
async function shownElsewhere(world: EngineWorld): Promise<LiveChat> {
  const chat = await openChat(await world.restart());
  chat.followOthers();
  return chat;
}

describe('An idle chat', () => {
  it('shows and remembers a run from another window as soon as it has ended', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'todo__init', arguments: { todos: ['look'] } }] },
          { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
          { say: 'One.', hold: 'first' },
          { say: 'Two.' },
        ],
      },
      async (world) => {
        const chat = await shownElsewhere(world);
        const { outcome } = world.run('first');
        await world.server.untilRequests(3);
        assert.deepEqual(said(chat), []);
        world.server.release('first');
        await outcome;
        await untilSaid(chat, 'first', 'One.');
        const { run, todos, title, canResume } = chat.state;
        assert.deepEqual([run, todos.map(({ done }) => done), title, canResume], [null, [true], 'first', false]);

        await chat.run({ text: 'second' }).outcome;
        assert.deepEqual(said(chat), ['first', 'One.', 'second', 'Two.']);
        assert.deepEqual(notices(chat), []);
        const known = world.server.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === 'user' ? text : []));
        assert.deepEqual(known, ['first', 'second']);
        const again = await openChat(await world.restart());
        assert.deepEqual(said(again), said(chat));
      },
    ));

  it('offers to resume what was interrupted in another window', () =>
    withWorld({ story: [{ say: 'One.', hold: 'forever' }] }, async (world) => {
      const chat = await shownElsewhere(world);
      world.run('first');
      await world.server.untilRequests(1);
      await world.engine.shutDown();
      await untilSaid(chat, 'first');
      await until('the offer', () => chat.state.canResume);
      assert.equal(chat.state.run, null);
      assert.match(notices(chat).join(), /^The last run was interrupted/);
    }));

  it('keeps its to-dos while another window is running', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'todo__init', arguments: { todos: ['look'] } }] },
          { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
          { say: 'Looked.' },
          { say: 'On it.', hold: 'second' },
        ],
      },
      async (world) => {
        await world.play('first');
        const chat = await shownElsewhere(world);
        const { outcome } = world.run('second');
        await world.server.untilRequests(4);
        await assert.rejects(chat.clearTodos(), /is running in another window/);
        assert.equal(chat.state.todos.length, 1);
        world.server.release('second');
        await outcome;
      },
    ));

  it('picks up the name and approval mode set in another window', () =>
    withWorld({}, async (world) => {
      const chat = await shownElsewhere(world);
      await world.engine.sessions.rename(world.sessionId, 'A name');
      await until('the name', () => chat.state.title === 'A name');
      await (await world.engine.sessions.open(world.sessionId)).configure({ approvalMode: 'everything' });
      await until('the mode', () => chat.state.approvalMode === 'everything');
    }));

  it('ignores a partially written line until it is complete', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      const file = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      const chat = await openChat(await world.restart());
      await world.play('first');
      const message = { role: 'user', id: 'm', time: 0, parts: [{ type: 'text', text: 'late' }], steering: false };
      const line = `${JSON.stringify({ type: 'message', message })}\n`;
      await appendFile(file, line.slice(0, 20));
      await chat.session.catchUp();
      assert.deepEqual(said(chat), ['first', 'One.']);
      assert.ok((await readFile(file, 'utf8')).endsWith(line.slice(0, 20)));
      await appendFile(file, line.slice(20));
      await chat.session.catchUp();
      assert.deepEqual(said(chat), ['first', 'One.', 'late']);
    }));

  it('does not mistake its own runs for those of another window', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      const chat = await shownElsewhere(world);
      await chat.run({ text: 'first' }).outcome;
      chat.session.todos.load([]);
      await chat.clearTodos();
      await chat.session.catchUp();
      await chat.run({ text: 'second' }).outcome;
      assert.deepEqual([said(chat), notices(chat)], [['first', 'One.', 'second', 'Two.'], []]);
    }));
});
