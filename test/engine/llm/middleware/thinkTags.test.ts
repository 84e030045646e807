import assert from 'node:assert/strict';
import type { LlmClient, LlmEvent } from '../../../../src/engine/llm/llmClient';
import { thinkTags } from '../../../../src/engine/llm/middleware/thinkTags';
import { eventsOf, request, textIn, user } from '../support';

const DONE: LlmEvent = { type: 'finished', reason: 'stop' };

function saying(text: string, size: number, ...after: LlmEvent[]): LlmClient {
  return {
    async *stream() {
      await Promise.resolve();
      for (let at = 0; at < text.length; at += size) yield { type: 'text-delta', text: text.slice(at, at + size) };
      yield* after;
    },
  };
}

async function read(client: LlmClient) {
  const events = await eventsOf(thinkTags(client), request([user('Hi')]));
  const thought = events.flatMap((one) => (one.type === 'thinking-delta' ? [one.text] : [])).join('');
  return { thought, said: textIn(events), types: [...new Set(events.map(({ type }) => type))] };
}

describe('thinkTags', () => {
  for (const size of [1, 3, 7, 1000]) {
    it(`separates tagged thinking from the answer, in chunks of ${size}`, async () => {
      const { thought, said, types } = await read(
        saying('\n<think>One </thin> two.</think>\n\nThe <b>answer</b>.', size, DONE),
      );
      assert.equal(thought, 'One </thin> two.');
      assert.equal(said, 'The <b>answer</b>.');
      assert.deepEqual(types, ['thinking-delta', 'thinking-finished', 'text-delta', 'finished']);
    });

    it(`leaves an answer that only mentions tags unchanged, in chunks of ${size}`, async () => {
      const text = '<thin ice> and <think>not thinking</think>';
      assert.deepEqual(await read(saying(text, size, DONE)), {
        thought: '',
        said: text,
        types: ['text-delta', 'finished'],
      });
    });
  }

  it('flushes withheld text when the answer ends or calls a tool', async () => {
    assert.equal((await read(saying(' <thi', 2, DONE))).said, ' <thi');
    const call: LlmEvent = { type: 'tool-call-started', id: 'c', name: 'fs_ls' };
    const { thought, types } = await read(saying('<thought>I must look', 4, call, DONE));
    assert.equal(thought, 'I must look');
    assert.deepEqual(types, ['thinking-delta', 'thinking-finished', 'tool-call-started', 'finished']);
  });
});
