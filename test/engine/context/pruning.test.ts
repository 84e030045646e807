import assert from 'node:assert/strict';
import { choosePruneMark, prunedView } from '../../../src/engine/context/prunedView';
import { type Message, userMessage } from '../../../src/engine/messages/message';
import { withWorld } from '../../support/engineWorld';
import { commonPrefix, sentParts } from '../../support/sentParts';
import { call } from '../agents/team/teamStory';

const LONG = 'x'.repeat(2000);

function round(at: number, name = 'fs_write'): Message[] {
  const asked = { id: `c${at}`, name, arguments: JSON.stringify({ path: `f${at}`, contents: LONG }) };
  const result = { callId: `c${at}`, name, status: 'ok' as const, text: LONG, detail: null, durationMs: 0 };
  return [
    {
      ...{ role: 'assistant', id: `a${at}`, time: 0, agent: 'coder', model: 'm', finish: 'tool-calls' },
      parts: [{ type: 'tool-call', call: asked }],
    },
    { role: 'tool', id: `t${at}`, time: 0, results: [result] },
  ];
}

const conversation = [userMessage('go', 0, false), ...Array.from({ length: 8 }, (_, at) => round(at)).flat()];
const bulk = (messages: readonly Message[]) => messages.filter((one) => JSON.stringify(one).includes(LONG)).length;

describe('Pruning', () => {
  it('never reaches the last messages', () => {
    const mark = choosePruneMark(conversation, 6, () => false);
    assert.equal(mark?.upTo, 't4');
    assert.equal(bulk(mark.messages), 6);
    assert.deepEqual(mark.messages.slice(-6), conversation.slice(-6));
  });

  it('starts with the oldest messages and stops once enough is saved', () => {
    const mark = choosePruneMark(conversation, 6, (messages) => bulk(messages) <= 12);
    assert.equal(mark?.upTo, 't1');
    assert.equal(bulk(mark.messages), 12);
    assert.equal(
      choosePruneMark(conversation, 6, () => true),
      undefined,
    );
  });

  it('is the same whenever the conversation is reloaded', () => {
    const mark = choosePruneMark(conversation, 6, () => false);
    const read = structuredClone(conversation);
    assert.deepEqual(prunedView(read, mark?.upTo), mark?.messages);
  });

  it('removes long texts from old calls but keeps their paths', () => {
    const [, asks] = prunedView(conversation, 't0');
    assert.ok(asks?.role === 'assistant' && asks.parts[0]?.type === 'tool-call');
    const given: unknown = JSON.parse(asks.parts[0].call.arguments);
    assert.deepEqual(given, { path: 'f0', contents: '(2000 characters, taken out to save room)' });
  });

  it('keeps short texts in old calls, and arguments that are not objects', () => {
    const given = (text: string) => {
      const [asks, gives] = round(0);
      assert.ok(asks?.role === 'assistant' && asks.parts[0]?.type === 'tool-call' && gives);
      const { call: asked } = asks.parts[0];
      const [pruned] = prunedView(
        [{ ...asks, parts: [{ type: 'tool-call', call: { ...asked, arguments: text } }] }, gives],
        't0',
      );
      return pruned?.role === 'assistant' && pruned.parts[0]?.type === 'tool-call' && pruned.parts[0].call.arguments;
    };
    const [short, long] = ['y'.repeat(300), 'z'.repeat(301)];
    const left = JSON.stringify({ short, long: '(301 characters, taken out to save room)', deep: [{ short }] });
    const room = ' '.repeat(2000);
    assert.equal(given(JSON.stringify({ short, long, deep: [{ short }] }) + room), left);
    assert.equal(given(`[1]${room}`), '{}');
    assert.equal(given(`{"path": ${room}`), '{}');
  });

  it('keeps the instructions of a skill', () => {
    const loaded = round(0, 'skill__load');
    const [, gives] = prunedView(loaded, 't0');
    assert.equal(gives, loaded[1]);
  });

  it('is decided once and applies in every process that opens the session', () => {
    const files = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [`f${at}.txt`, `marker-${at}\n${`${'word '.repeat(15)}\n`.repeat(550)}`]),
    );
    const reads = Object.keys(files).map((path) => call('fs_read', { path }));
    return withWorld({ files, story: [...reads, { say: 'Read.' }, { say: 'Again.' }] }, async (world) => {
      await world.play('read them all');
      const again = await world.restart();
      await again.play('and now?');
      const parts = world.server.requests.map(sentParts);
      const broken = parts.filter((one, at) => !commonPrefix(parts[at - 1] ?? [], one).whole);
      assert.equal(broken.length, 1, 'one request begins otherwise than the one before it');
      const entries = (await again.engine.sessions.open(again.sessionId)).history;
      assert.equal(entries.filter(({ type }) => type === 'pruned').length, 1);
      assert.match(parts.at(-1)?.join('') ?? '', /taken out to save room[^]*marker-13/);
    });
  });
});
