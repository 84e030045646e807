import assert from 'node:assert/strict';
import type { LlmClient, LlmEvent, LlmFailure } from '../../../../src/engine/llm/llmClient';
import { retryBrokenStream } from '../../../../src/engine/llm/middleware/retryBrokenStream';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { instantClock } from '../instantClock';
import { eventsOf, failureIn, NEVER, request, textIn, user } from '../support';

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
      const events = await eventsOf(retryBrokenStream(clock, () => 0)(client, MODEL), QUESTION);
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

  it('never retries after the first token, or for other reasons', async () => {
    for (const answer of [
      [{ type: 'text-delta', text: 'Half' } as const, failed('cut-stream')],
      [failed('server', 500)],
      [failed('auth', 401)],
      [failed('cancelled')],
      [failed('context-overflow')],
      [failed('unreachable')],
    ]) {
      const { client, asked } = scripted(answer, good);
      failureIn(await eventsOf(retryBrokenStream(instantClock())(client, MODEL), QUESTION));
      assert.equal(asked(), 1);
    }
  });

  for (const [what, about, asks, waits] of [
    ['retries a rate limit without a status or requested delay after the usual delay', {}, 2, [2000]],
    ['does not retry a rate limit with a status and nothing else', { status: 429 }, 1, []],
    ['retries one that is said to be worth it', { status: 429, retryable: true }, 2, [2000]],
    ['does not retry one that is said not to be', { retryable: false, retryAfterMs: 7 }, 1, []],
    ['retries a rate limit with a status after the requested delay', { status: 429, retryAfterMs: 7 }, 2, [7]],
    ['retries a rate limit without a status after the requested delay', { retryAfterMs: 60_000 }, 2, [60_000]],
    ['does not retry when the requested delay exceeds a minute', { retryable: true, retryAfterMs: 60_001 }, 1, []],
  ] as const) {
    it(what, async () => {
      const clock = instantClock();
      const busy: LlmEvent = { type: 'failed', failure: { reason: 'rate-limit', message: 'Busy.', ...about } };
      const { client, asked } = scripted([busy], good);
      await eventsOf(retryBrokenStream(clock, () => 0)(client, MODEL), QUESTION);
      assert.equal(asked(), asks);
      assert.deepEqual(clock.waits, waits);
    });
  }

  it('shortens its own delays by up to a quarter, at random, and extends requested ones by up to a tenth', async () => {
    for (const [about, wait] of [
      [{ retryable: true }, 1500],
      [{ retryable: true, retryAfterMs: 10_000 }, 11_000],
    ] as const) {
      const clock = instantClock();
      const busy: LlmEvent = { type: 'failed', failure: { reason: 'rate-limit', message: 'Busy.', ...about } };
      await eventsOf(retryBrokenStream(clock, () => 1)(scripted([busy], good).client, MODEL), QUESTION);
      assert.deepEqual(clock.waits, [wait]);
    }
  });

  for (const [reason, status, text] of [
    ['rate-limit', 429, 'Rate limit reached. Trying again in 12 s.'],
    ['unreachable', 429, 'Rate limit reached. Trying again in 12 s.'],
    ['server', 529, 'The model is overloaded. Trying again in 12 s.'],
    ['server', 503, 'The model is overloaded. Trying again in 12 s.'],
    ['server', 500, "The model's provider reports an error. Trying again in 12 s."],
    ['unreachable', undefined, 'The model could not be reached. Trying again in 12 s.'],
    ['cut-stream', undefined, 'The answer broke off. Trying again in 12 s.'],
  ] as const) {
    it(`says “${text}” before it waits (${reason}, ${status ?? 'no status'})`, async () => {
      const clock = instantClock();
      const waits = { retryable: true, retryAfterMs: 11_500, ...(status !== undefined && { status }) };
      const { client } = scripted([{ type: 'failed', failure: { reason, message: 'No.', ...waits } }], good);
      const heard: number[] = [];
      for await (const event of retryBrokenStream(clock, () => 0)(client, MODEL).stream(QUESTION, NEVER)) {
        if (event.type === 'notice') heard.push(clock.waits.length);
        if (event.type === 'notice') assert.deepEqual(event, { type: 'notice', text, waitMs: 11_500 });
      }
      assert.deepEqual(heard, [0]);
      assert.deepEqual(clock.waits, [11_500]);
    });
  }

  it('says nothing about a wait of two seconds', async () => {
    const { client } = scripted([failed('cut-stream')], [failed('cut-stream')], good);
    const events = await eventsOf(retryBrokenStream(instantClock(), () => 0)(client, MODEL), QUESTION);
    assert.equal(events.filter(({ type }) => type === 'notice').length, 0);
  });

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
    await assert.rejects(eventsOf(retryBrokenStream(clock, () => 0)(client, MODEL), QUESTION), /no clock here/);
  });
});
