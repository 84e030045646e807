import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveChat } from '../../src/chat/liveChat';
import { until } from '../editor/until';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { memory, openChat } from '../support/openChat';
import { otherWindow } from '../support/otherWindow';

const waiting = ({ state }: LiveChat) => state.queued.map(({ text }) => text);
const said = ({ state }: LiveChat) =>
  state.entries.flatMap((entry) => (entry.kind === 'user' || entry.kind === 'text' ? [entry.text] : []));
const asked = ({ server }: EngineWorld) =>
  server.requests.map(({ messages }) => messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])));

async function untilWaits(chat: LiveChat, ...texts: string[]): Promise<void> {
  await until(`${texts.join()} to wait`, () => Promise.resolve(waiting(chat).join() === texts.join()));
}

/** Opens a chat whose first message waits for the other window's run to end. */
async function firstWaits(world: EngineWorld) {
  const other = await otherWindow(world);
  const chat = await openChat(world);
  const { outcome } = chat.run({ text: 'first' });
  await untilWaits(chat, 'first');
  return { other, chat, outcome };
}

async function untilIdle(chat: LiveChat, answer: string): Promise<void> {
  await until(answer, () => Promise.resolve(chat.state.run === null && said(chat).at(-1) === answer));
}

describe('A message waiting for another window', () => {
  it('survives a reload with its attachments and is sent once', () =>
    withWorld({ story: [{ say: 'Both.' }] }, async (world) => {
      const other = await otherWindow(world);
      const inMemory = memory();
      const before = await openChat(world, { inMemory });
      const item = { kind: 'file' as const, label: 'notes.md', target: 'notes.md' };
      const source = { kind: 'file' as const, label: 'notes.md' };
      const attachments = [{ type: 'text' as const, text: '<attached>\n', attachment: source }];
      before.run({ text: 'first', items: [item], attachments });
      await untilWaits(before, 'first');
      before.steer({ text: 'second' });
      await world.engine.shutDown();

      const reloaded = await world.restart();
      const chat = await openChat(reloaded, { inMemory });
      assert.deepEqual(waiting(chat), ['first', 'second']);
      assert.deepEqual(
        chat.state.queued[0]?.items.map(({ label }) => label),
        ['notes.md'],
      );
      assert.equal(chat.state.run, null);
      await other.end();
      await chat.sendNow();
      await untilIdle(chat, 'Both.');
      assert.deepEqual(waiting(chat), []);
      assert.deepEqual(asked(world), [['<attached>\nfirst', 'second']]);
      assert.deepEqual(waiting(await openChat(await world.restart(), { inMemory })), []);
    }));

  it('is stored for a reload with keys redacted, as the model will receive it', () => {
    const key = 'Zq7-Wx9Kv-Jy4Bn2-Rt8Lp5';
    return withWorld({ key, acceptedKey: key, story: [{ say: 'Seen.' }] }, async (world) => {
      const other = await otherWindow(world);
      const inMemory = memory();
      const chat = await openChat(world, { inMemory });
      const page = `https://example.com/?key=${key}`;
      const item = { kind: 'page' as const, label: page, target: page, note: `with ${key}` };
      const source = { kind: 'page' as const, label: 'page' };
      const attachments = [{ type: 'text' as const, text: `<attached>\n${key}`, attachment: source }];
      chat.run({ text: `is ${key} right?`, items: [item], attachments });
      const reload = () => openChat(world, { inMemory });
      await until('the message to be kept', async () => waiting(await reload()).length === 1);
      const kept = JSON.stringify(inMemory.get(`cairn.queued.${world.sessionId}`));
      assert.ok(!kept.includes(key), kept);
      assert.deepEqual(waiting(await reload()), ['is ••• right?']);
      await other.end();
      await untilIdle(chat, 'Seen.');
      assert.deepEqual(asked(world), [['<attached>\n•••is ••• right?']]);
    });
  });

  it('can be edited with its attachments after a reload', () =>
    withWorld({}, async (world) => {
      await otherWindow(world);
      const inMemory = memory();
      const before = await openChat(world, { inMemory });
      const item = { kind: 'file' as const, label: 'notes.md', target: 'notes.md', lines: { first: 1, last: 2 } };
      before.run({ text: 'first', items: [item] });
      await untilWaits(before, 'first');
      await world.engine.shutDown();

      const reloaded = await world.restart();
      const chat = await openChat(reloaded, { inMemory });
      assert.deepEqual(chat.withdraw(chat.state.queued[0]?.id ?? ''), { text: 'first', items: [item] });
      assert.deepEqual(waiting(chat), []);
      assert.deepEqual(waiting(await openChat(await world.restart(), { inMemory })), []);
    }));

  it('is not duplicated when the window closes before recording that it was sent', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const other = await otherWindow(world);
      const inMemory = memory();
      const before = await openChat(world, {
        inMemory: {
          ...inMemory,
          update: (key, value) => (value === undefined ? Promise.resolve() : inMemory.update(key, value)),
        },
      });
      before.run({ text: 'first' });
      await untilWaits(before, 'first');
      await other.end();
      await untilIdle(before, 'Yes.');
      const after = await openChat(await world.restart(), { inMemory });
      assert.deepEqual([waiting(after), said(after)], [[], ['first', 'Yes.']]);
    }));

  it('keeps waiting when sending it now is rejected, and shows why', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const { other, chat } = await firstWaits(world);
      chat.steer({ text: 'second' });
      await assert.rejects(chat.sendNow(), /This session is running in another window\. Stop it there/);
      assert.deepEqual(waiting(chat), ['first', 'second']);
      assert.match(chat.state.run?.activity ?? '', /another window/);
      await other.end();
      await untilIdle(chat, 'Yes.');
      assert.deepEqual(asked(world), [['first', 'second']]);
    }));

  it('can be sent once the other window has ended, even after the wait was cancelled', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const { other, chat, outcome } = await firstWaits(world);
      chat.steer({ text: 'second' });
      chat.cancel();
      assert.equal((await outcome).kind, 'cancelled');
      assert.deepEqual(waiting(chat), ['first', 'second']);
      await other.end();
      await chat.sendNow();
      await untilIdle(chat, 'Yes.');
      assert.deepEqual(asked(world), [['first', 'second']]);
    }));

  it('precedes a later message after the wait was cancelled', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const { other, chat, outcome } = await firstWaits(world);
      chat.cancel();
      await outcome;
      await other.end();
      chat.run({ text: 'second' });
      await untilIdle(chat, 'Yes.');
      assert.deepEqual([waiting(chat), asked(world)], [[], [['first', 'second']]]);
    }));
});

describe('A message whose run could not start', () => {
  it('waits to be sent again', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      const chat = await openChat(world);
      const lock = join(world.sessionsFolder, world.sessionId, 'run.lock');
      await mkdir(lock);
      assert.equal((await chat.run({ text: 'first' }).outcome).kind, 'failed');
      assert.deepEqual(waiting(chat), ['first']);
      assert.equal(chat.state.entries.find(({ kind }) => kind === 'notice')?.kind, 'notice');
    }));
});
