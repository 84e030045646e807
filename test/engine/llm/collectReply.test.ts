import assert from 'node:assert/strict';
import { collectReply } from '../../../src/engine/llm/collectReply';
import type { LlmEvent } from '../../../src/engine/llm/llmClient';

const header = { agent: 'coder', model: 'p:m', time: 5 };
const call = { id: 'c', name: 'fs_ls', arguments: '{}' };

async function* streamOf(events: readonly LlmEvent[]) {
  await Promise.resolve();
  yield* events;
}

async function collect(...events: LlmEvent[]) {
  const seen: LlmEvent[] = [];
  const reply = await collectReply(streamOf(events), header, (event) => seen.push(event));
  return { ...reply, seen };
}

describe('collectReply', () => {
  it('assembles deltas into parts in order and forwards every event', async () => {
    const { message, failure, seen } = await collect(
      { type: 'thinking-delta', text: 'Hm' },
      { type: 'thinking-delta', text: 'm.' },
      { type: 'thinking-finished', signature: 's' },
      { type: 'redacted-thinking', data: 'd' },
      { type: 'text-delta', text: 'Look' },
      { type: 'text-delta', text: 'ing.' },
      { type: 'tool-call-started', id: 'c', name: 'fs_ls' },
      { type: 'tool-call', call },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
      { type: 'finished', reason: 'tool-calls' },
    );
    assert.equal(failure, undefined);
    assert.deepEqual(
      { ...message, id: '' },
      {
        role: 'assistant',
        id: '',
        ...header,
        parts: [
          { type: 'thinking', text: 'Hmm.', signature: 's' },
          { type: 'redacted-thinking', data: 'd' },
          { type: 'text', text: 'Looking.' },
          { type: 'tool-call', call },
        ],
        finish: 'tool-calls',
        usage: { inputTokens: 3, outputTokens: 2 },
      },
    );
    assert.equal(seen.length, 10);
  });

  it('keeps the signature of hidden thinking', async () => {
    const { message } = await collect(
      { type: 'thinking-finished', signature: 's' },
      { type: 'finished', reason: 'stop' },
    );
    assert.deepEqual(message.parts, [{ type: 'thinking', text: '', signature: 's' }]);
  });

  it('does not merge consecutive thinking blocks', async () => {
    const { message } = await collect(
      { type: 'thinking-delta', text: 'One' },
      { type: 'thinking-finished', signature: 'a' },
      { type: 'thinking-delta', text: 'Two' },
      { type: 'thinking-finished', signature: 'b' },
      { type: 'finished', reason: 'stop' },
    );
    assert.equal(message.parts.length, 2);
  });

  it('keeps the text of a failed stream and drops its calls', async () => {
    const told = { reason: 'cut-stream', message: 'Broken.' } as const;
    const { message, failure } = await collect(
      { type: 'text-delta', text: 'Half' },
      { type: 'tool-call', call },
      { type: 'failed', failure: told },
    );
    assert.deepEqual(message.parts, [{ type: 'text', text: 'Half' }]);
    assert.equal(message.finish, 'cut-off');
    assert.deepEqual(failure, told);
  });

  it('treats a stream without a finish event as cut off', async () => {
    const { message, failure } = await collect({ type: 'text-delta', text: 'Half' });
    assert.equal(message.finish, 'cut-off');
    assert.equal(failure?.reason, 'cut-stream');
  });
});
