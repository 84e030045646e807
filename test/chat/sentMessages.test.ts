import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import type { LiveChat } from '../../src/chat/liveChat';
import type { Attachment } from '../../src/engine';
import { until } from '../editor/until';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { memory, openChat } from '../support/openChat';

const item = { kind: 'file' as const, label: 'notes.md', target: 'notes.md' };
const attachments: Attachment[] = [
  { type: 'text', text: '<attached>\n', attachment: { kind: 'file', label: 'notes.md' } },
];
const waiting = ({ state }: LiveChat) =>
  state.queued.map(({ text, items }) => [text, ...items.map(({ label }) => label)]);
const asked = ({ server }: EngineWorld) =>
  server.requests.map(({ messages }) => messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])));
const answered = (chat: LiveChat) =>
  until('the answer', () => Promise.resolve(chat.state.run === null && chat.state.entries.at(-1)?.kind === 'turn'));

describe('A message with attachments to read', () => {
  it('is queued while they are read and stays ahead of later messages', () =>
    withWorld({ story: [{ say: 'Both.' }] }, async (world) => {
      const reading = new Deferred<Attachment[]>();
      const chat = await openChat(world, { read: () => reading.promise });
      const first = chat.send({ text: 'first', items: [item] });
      const second = chat.send({ text: 'second', items: [] });
      assert.deepEqual(waiting(chat)[0], ['first', 'notes.md']);
      assert.deepEqual(world.server.requests, []);
      reading.resolve(attachments);
      await Promise.all([first, second]);
      await answered(chat);
      assert.equal(asked(world).at(-1)?.join(), '<attached>\nfirst,second');
      assert.deepEqual(waiting(chat), []);
    }));

  it('is dropped when they cannot be read, and later messages are still sent', () =>
    withWorld({ story: [{ say: 'Only this.' }] }, async (world) => {
      const chat = await openChat(world, { read: () => Promise.reject(new Error('notes.md is gone.')) });
      const first = chat.send({ text: 'first', items: [item] });
      const second = chat.send({ text: 'second', items: [] });
      await assert.rejects(first, /notes\.md is gone/);
      await second;
      await answered(chat);
      assert.deepEqual(asked(world), [['second']]);
      assert.deepEqual(waiting(chat), []);
    }));

  it('can be withdrawn while they are being read', () =>
    withWorld({}, async (world) => {
      const reading = new Deferred<Attachment[]>();
      const chat = await openChat(world, { read: () => reading.promise });
      const sent = chat.send({ text: 'first', items: [item] });
      assert.deepEqual(chat.withdraw(chat.state.queued[0]?.id ?? ''), { text: 'first', items: [item] });
      reading.resolve(attachments);
      assert.equal(await sent, undefined);
      assert.equal(chat.state.run, null);
    }));

  it('survives a closed window during reading, and its attachments are read again', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const inMemory = memory();
      const before = await openChat(world, { inMemory, read: () => new Promise(() => undefined) });
      void before.send({ text: 'first', items: [item] });
      await world.engine.shutDown();

      const chat = await openChat(await world.restart(), { inMemory, read: () => Promise.resolve(attachments) });
      assert.deepEqual(waiting(chat), [['first', 'notes.md']]);
      await until('it to be read', async () => {
        await chat.sendNow();
        return world.server.requests.length > 0;
      });
      await answered(chat);
      assert.deepEqual(asked(world), [['<attached>\nfirst']]);
    }));

  it('waits to be edited, with the reason, when they cannot be read after a restart', () =>
    withWorld({}, async (world) => {
      const inMemory = memory();
      const before = await openChat(world, { inMemory, read: () => new Promise(() => undefined) });
      void before.send({ text: 'first', items: [item] });
      await world.engine.shutDown();

      const gone = () => Promise.reject(new Error('notes.md is gone.'));
      const chat = await openChat(await world.restart(), { inMemory, read: gone });
      await until('the reason', () =>
        Promise.resolve(
          chat.state.entries.some((one) => one.kind === 'notice' && one.text.includes('notes.md is gone')),
        ),
      );
      assert.deepEqual(chat.withdraw(chat.state.queued[0]?.id ?? ''), { text: 'first', items: [item] });
    }));
});
