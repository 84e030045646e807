import assert from 'node:assert/strict';
import type { LlmClient, LlmEvent, LlmFailure } from '../../../../src/engine/llm/llmClient';
import { retryBrokenStream } from '../../../../src/engine/llm/middleware/retryBrokenStream';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { instantClock } from '../instantClock';
import { eventsOf, failureIn, request, textIn, user } from '../support';

const MODEL = unlistedModel('p:m');
const QUESTION = request([user('Hi')]);
const failed = (reason: LlmFailure['reason'], status?: number): LlmEvent => ({
  type: 'failed',
  failure: { reason, message: 'No.', ...(status !== undefined && { status }) },
});
const good: LlmEvent[] = [
  { type: 'text-delta', text: 'Yes.' },
  { type: 'finished', reason: 'stop' },
];

function scripted(...answers: LlmEvent[][]) {
  let asked = 0;
  const client: LlmClient = {
    async *stream() {
      await Promise.resolve();
      yield* answers[asked++] ?? [];
    },
  };
  return { client, asked: () => asked };
}

describe('retryBrokenStream', () => {
  for (const reason of ['cut-stream', 'server'] as const) {
    it(`retries after ${reason} before the first token, with increasing delays`, async () => {
      const clock = instantClock();
      const { client, asked } = scripted([failed(reason)], [failed(reason)], good);
      const events = await eventsOf(retryBrokenStream(clock)(client, MODEL), QUESTION);
      assert.equal(textIn(events), 'Yes.');
      assert.equal(events.length, 2);
      assert.equal(asked(), 3);
      assert.deepEqual(clock.waits, [500, 2000]);
    });
  }

  it('retries an attempt that only reported usage, and includes it in the final event', async () => {
    const usage = (inputTokens: number): LlmEvent => ({ type: 'usage', usage: { inputTokens, outputTokens: 0 } });
    const { client, asked } = scripted([usage(10), failed('cut-stream')], [failed('server')], [usage(30), ...good]);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION);
    assert.equal(asked(), 3);
    assert.deepEqual(
      events.filter(({ type }) => type === 'usage'),
      [usage(30)],
    );
    const lost = [{ inputTokens: 10, outputTokens: 0 }, null];
    assert.deepEqual(events.at(-1), { type: 'finished', reason: 'stop', lost });
  });

  it('reports the usage of an attempt that is not retried', async () => {
    const usage: LlmEvent = { type: 'usage', usage: { inputTokens: 10, outputTokens: 0 } };
    const { client } = scripted([usage, failed('auth', 401)]);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['usage', 'failed'],
    );
  });

  it('gives up after the third attempt and reports the last failure', async () => {
    const { client, asked } = scripted([failed('server')], [failed('server')], [failed('cut-stream')], good);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION);
    assert.equal(failureIn(events).reason, 'cut-stream');
    assert.equal(asked(), 3);
  });

  it('never retries after the first token, after SDK retries, or for other reasons', async () => {
    for (const answer of [
      [{ type: 'text-delta', text: 'Half' } as const, failed('cut-stream')],
      [failed('server', 500)],
      [failed('auth', 401)],
      [failed('cancelled')],
      [failed('context-overflow')],
    ]) {
      const { client, asked } = scripted(answer, good);
      failureIn(await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION));
      assert.equal(asked(), 1);
    }
  });

  for (const [what, about, asks, waits] of [
    ['retries a rate limit without a status or requested delay after the usual delay', {}, 2, [500]],
    ['does not retry a rate limit with a status, which the SDK already retried', { status: 429 }, 1, []],
    ['retries a rate limit with a status after the requested delay', { status: 429, retryAfterMs: 7 }, 2, [7]],
    ['retries a rate limit without a status after the requested delay', { retryAfterMs: 60_000 }, 2, [60_000]],
    [
      'does not retry a rate limit with a status when the requested delay exceeds a minute',
      { status: 429, retryAfterMs: 60_001 },
      1,
      [],
    ],
    [
      'does not retry a rate limit without a status when the requested delay exceeds a minute',
      { retryAfterMs: 60_001 },
      1,
      [],
    ],
  ] as const) {
    it(what, async () => {
      const clock = instantClock();
      const busy: LlmEvent = { type: 'failed', failure: { reason: 'rate-limit', message: 'Busy.', ...about } };
      const { client, asked } = scripted([busy], good);
      await eventsOf(retryBrokenStream(clock)(client, MODEL), QUESTION);
      assert.equal(asked(), asks);
      assert.deepEqual(clock.waits, waits);
    });
  }

  it('stops waiting when cancelled', async () => {
    const { client, asked } = scripted([failed('server')], good);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION, AbortSignal.abort());
    assert.equal(failureIn(events).reason, 'cancelled');
    assert.equal(asked(), 1);
  });

  it('does not change a complete answer', async () => {
    const usage: LlmEvent = { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } };
    const notice: LlmEvent = { type: 'notice', text: 'Without pictures.' };
    const answer: LlmEvent[] = [
      notice,
      { type: 'text-delta', text: 'Yes, ' },
      ...good.slice(0, 1),
      usage,
      ...good.slice(1),
    ];
    const { client } = scripted(answer);
    assert.deepEqual(await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION), answer);
  });

  it('reports usage once even when it precedes the first token', async () => {
    const usage: LlmEvent = { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } };
    const { client } = scripted([usage, { type: 'notice', text: 'Without pictures.' }, ...good]);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['notice', 'usage', 'text-delta', 'finished'],
    );
  });

  it('forwards the usage of a single lost attempt', async () => {
    const { client } = scripted([failed('server')], good);
    const events = await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION);
    assert.deepEqual(events.at(-1), { type: 'finished', reason: 'stop', lost: [null] });
  });

  it('does not hide errors of the clock', async () => {
    const clock = { ...instantClock(), sleep: () => Promise.reject(new Error('no clock here')) };
    const { client } = scripted([failed('server')], good);
    await assert.rejects(eventsOf(retryBrokenStream(clock)(client, MODEL), QUESTION), /no clock here/);
  });
});
