import assert from 'node:assert/strict';
import { choosePruneMark, prunedMessage, prunedView } from '../../../src/engine/context/prunedView';
import {
  type AssistantMessage,
  type Message,
  type ToolMessage,
  userMessage,
} from '../../../src/engine/messages/message';
import type { ToolResult } from '../../../src/engine/messages/toolCall';

const gave = (text: string, other: Partial<ToolResult> = {}): ToolResult => ({
  ...{ callId: 'c', name: 'fs_read', status: 'ok', text, detail: null, durationMs: 7 },
  ...other,
});
const gives = (...results: ToolResult[]): ToolMessage => ({ role: 'tool', id: 't', time: 0, results });
const asks = (...texts: string[]): AssistantMessage => ({
  ...{ role: 'assistant', id: 'a', time: 0, agent: 'coder', model: 'm', finish: 'tool-calls' },
  parts: [
    { type: 'text', text: 'z'.repeat(9000) },
    ...texts.map((text) => ({ type: 'tool-call' as const, call: { id: 'c', name: 'fs_write', arguments: text } })),
  ],
});
/** Returns JSON of this many characters. */
const argumentsOf = (length: number) => JSON.stringify({ text: 'y'.repeat(length - '{"text":""}'.length) });
const SHORT = '{"text":"(1490 characters, taken out to save room)"}';

describe('The pruning of an old message', () => {
  it('replaces each result of more than 1500 characters with its length and keeps its status', () => {
    const short = gave('x'.repeat(1500));
    const before = gives(short, gave('x'.repeat(1501), { callId: 'd', status: 'error' }));
    const note =
      '(The output of fs_read, 1501 characters, was taken out to save room. Call it again if you need it, for less if it was long.)';
    assert.deepEqual(prunedMessage(before), gives(short, gave(note, { callId: 'd', status: 'error' })));
  });

  it('removes each picture', () => {
    const pruned = prunedMessage(gives(gave('a cat', { images: [{ mediaType: 'image/png', data: 'AAAA' }] })));
    assert.ok(pruned.role === 'tool');
    assert.match(pruned.results[0]?.text ?? '', /^\(The output of fs_read, 5 characters, was taken out/);
    assert.equal(pruned.results[0]?.images, undefined);
  });

  it('removes the long texts of each call of more than 1500 characters, but not what was said', () => {
    const before = asks(argumentsOf(1500), argumentsOf(1501));
    assert.deepEqual(prunedMessage(before), asks(argumentsOf(1500), SHORT));
  });

  it('keeps numbers, lists and nulls in call arguments', () => {
    const given = { text: 'y'.repeat(1490), at: [1, null, true, { deep: 'y'.repeat(301), none: null }] };
    const left = {
      text: '(1490 characters, taken out to save room)',
      at: [1, null, true, { deep: '(301 characters, taken out to save room)', none: null }],
    };
    assert.deepEqual(prunedMessage(asks(JSON.stringify(given))), asks(JSON.stringify(left)));
  });

  it('returns user messages and short messages unchanged', () => {
    const said = userMessage('x'.repeat(9000), 0, false);
    for (const message of [said, asks('{}'), gives(gave('x'))]) assert.equal(prunedMessage(message), message);
  });
});

describe('A conversation pruned up to a message', () => {
  const bulky = (id: string): Message => ({ ...gives(gave('x'.repeat(2000))), id });
  const isWhole = (message: Message) => message.role === 'tool' && message.results[0]?.text.length === 2000;
  const all = ['1', '2', '3', '4'].map(bulky);

  it('keeps everything after it, and is unchanged when no message is given or it is unknown', () => {
    assert.deepEqual(prunedView(all, '2').map(isWhole), [false, false, true, true]);
    assert.deepEqual(prunedView(all, '1').map(isWhole), [false, true, true, true]);
    for (const none of [undefined, 'x']) assert.equal(prunedView(all, none), all);
  });

  it('is pruned only as far as needed, and never in its last messages', () => {
    const never = () => false;
    const upTo = (keep: number, isEnough: (messages: readonly Message[]) => boolean = never) =>
      choosePruneMark(all, keep, isEnough)?.upTo;
    assert.deepEqual(
      [0, 1, 3, 4, 9].map((keep) => upTo(keep)),
      ['4', '3', '1', undefined, undefined],
    );
    assert.equal(
      upTo(0, (messages) => messages.filter(isWhole).length <= 2),
      '2',
    );
    const between = [bulky('1'), userMessage('so?', 0, false), bulky('3'), userMessage('and?', 0, false)];
    const mark = choosePruneMark(between, 0, never);
    assert.deepEqual([mark?.upTo, mark?.messages], ['3', prunedView(between, '3')], 'what loses nothing is no end');
  });
});
