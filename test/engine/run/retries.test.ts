import assert from 'node:assert/strict';
import { setTimeout as inTime } from 'node:timers/promises';
import type { AgentEvent } from '../../../src/engine';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import type { Step, StepFailure } from '../../support/modelServer/story';
import { neverAnswered } from '../../support/neverAnswered';
import { retriesAtOnce as sleep } from '../../support/retriesAtOnce';
import { LEAD } from '../agents/team/leadWorld';
import { call, calls, collectAll, LEAD_AND_WORKER, says, spawn } from '../agents/team/teamStory';
import { FLOW, graphOf, withGraph } from '../graphs/graphWorld';

const BREAKS = ['cut-before', 'error-in-stream'] as const;

for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
  describe(`A stream of ${model} that breaks before its first token`, () => {
    for (const fail of BREAKS) {
      it(`is silently retried at most twice (${fail})`, () =>
        withWorld({ sleep, story: [{ fail }, { fail }, { say: 'Third time lucky.' }] }, async (world) => {
          const { outcome, events } = await world.play('go', { model });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Third time lucky.' });
          assert.equal(world.server.requests.length, 3);
          assert.deepEqual(
            events.filter(({ type }) => type === 'notice'),
            [],
          );
          const { messages } = await world.engine.sessions.open(world.sessionId);
          assert.deepEqual(
            messages.map(({ role }) => role),
            ['user', 'assistant'],
          );
        }));
    }

    it('is retried after longer and longer waits, which are told, where the vendor is overloaded', async () => {
      const waits: number[] = [];
      const noted = (ms: number, signal: AbortSignal) => {
        // All other waits are limits for silence.
        if (ms <= 32_000) waits.push(ms);
        return ms <= 32_000 ? Promise.resolve() : neverAnswered(signal);
      };
      const fail = 'overloaded-in-stream';
      await withWorld({ sleep: noted, story: [{ fail }, { fail }, { fail }, { say: 'Here.' }] }, async (world) => {
        const { outcome, events } = await world.play('go', { model });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Here.' });
        const [first = 0, second = 0, third = 0] = waits;
        assert.ok(first >= 1500 && second >= 6000 && third >= 24_000 && waits.length === 3, waits.join());
        assert.deepEqual(
          waitsTold(events).map(({ text }) => text.replace(/\d+/, 'N')),
          Array(2).fill('The model is overloaded. Trying again in N s.'),
        );
      });
    });

    it('fails after the third attempt with its reason', () =>
      withWorld({ sleep, story: Array<{ fail: StepFailure }>(3).fill({ fail: 'error-in-stream' }) }, async (world) => {
        const { outcome } = await world.play('go', { model });
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'server', JSON.stringify(outcome));
        assert.equal(world.server.requests.length, 3);
      }));
  });
}

const LIMITED: Step = { fail: { status: 429, headers: { 'retry-after': '12' } } };
/** The wait is extended by up to a tenth. */
const TOLD = /^Rate limit reached\. Trying again in 1[234] s\.$/;
const waitsTold = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' && event.waitMs !== undefined ? [event] : []));

/** A clock on which only this wait is over at once. */
function quickly(ms: number, signal: AbortSignal): Promise<void> {
  return ms >= 12_000 && ms <= 13_200 ? Promise.resolve() : inTime(ms, undefined, { signal, ref: false });
}

describe('A run that waits for a rate limit', () => {
  for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
    it(`says what it waits for and how long, and then goes on (${model})`, () =>
      withWorld({ sleep: quickly, story: [LIMITED, { say: 'Here.' }] }, async (world) => {
        const { outcome, events } = await world.play('go', { model });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Here.' });
        const [told, ...more] = waitsTold(events);
        assert.match(told?.text ?? '', TOLD);
        assert.ok(told?.level === 'info' && (told.waitMs ?? 0) >= 12_000, JSON.stringify(told));
        assert.deepEqual(more, []);
      }));
  }

  it('is stopped at once, and sends nothing more', () =>
    withWorld({ sleep: (_ms, signal) => neverAnswered(signal), story: [LIMITED, { say: 'No.' }] }, async (world) => {
      const handle = world.run('go');
      for await (const event of handle.events()) if (event.type === 'notice') handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.equal(world.server.requests.length, 1);
    }));

  it('pays nothing for the requests that were refused', () =>
    withWorld(
      {
        sleep: quickly,
        story: [LIMITED, LIMITED, { ...call('todo__list', {}), usage: { input: 10, output: 1 } }, { say: 'Here.' }],
      },
      async (world) => {
        // Two estimates of what was sent would exceed it.
        const { outcome } = await world.play('x'.repeat(30_000), { limits: { tokens: 10_000 } });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Here.' });
      },
    ));

  it('says so for an agent that it started', () =>
    withWorld(
      {
        sleep: quickly,
        files: LEAD_AND_WORKER,
        story: [
          says('worker', once(LIMITED, { say: 'Yes.' })),
          calls(spawn('worker', 'x')),
          collectAll,
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const [told] = waitsTold((await world.play('go', LEAD)).events);
        assert.match(told?.text ?? '', TOLD);
        assert.deepEqual(told?.agentPath, ['lead', 'worker']);
      },
    ));

  it('says so for a node of a graph, whose own retries come on top', () => {
    const retry = 'retry: { attempts: 2, delay: 0 }';
    const graph = graphOf(
      `  a: { type: llm, prompt: hello, ${retry}, next: done }\n  done: { type: end, output: over }\n`,
    );
    const story = [...Array<Step>(5).fill(LIMITED), { say: 'Yes.' }];
    return withGraph(graph, { sleep: quickly, story }, async (world) => {
      const { outcome, events } = await world.play('go', FLOW);
      assert.equal(outcome.kind, 'completed');
      assert.equal(world.server.requests.length, 6, 'four attempts, and two of the second try');
      const told = waitsTold(events);
      assert.equal(told.length, 4);
      assert.match(told[0]?.text ?? '', TOLD);
    });
  });

  it('says so for a summary of the conversation', () =>
    withWorld(
      {
        sleep: quickly,
        story: [{ when: isSummingUp, step: once(LIMITED, { say: 'NOTES' }) }, { say: 'One.' }, { say: 'Two.' }],
      },
      async (world) => {
        await world.play('first');
        await world.play('second');
        const { outcome, events } = await world.play(undefined, { compacts: true });
        assert.equal(outcome.kind, 'completed');
        assert.match(waitsTold(events)[0]?.text ?? '', TOLD);
        assert.equal(events.filter(({ type }) => type === 'session-compressed').length, 1);
      },
    ));
});

describe('A single question that waits for a rate limit', () => {
  const { signal } = new AbortController();
  const part = { path: 'a.ts', language: 'typescript', before: '', part: 'two', after: '', wish: 'louder' };
  type Ask = (world: EngineWorld, onNotice: (notice: { text: string; waitMs?: number }) => void) => Promise<unknown>;
  const questions: Readonly<Record<string, Ask>> = {
    'outside of a session': ({ engine }, onNotice) =>
      engine.ask('openai:test-model', { system: '', text: 'x', onNotice }, signal),
    'to a role': ({ engine, sessionId }, onNotice) =>
      engine.askRole({ role: 'shell', text: 'x', sessionId, onNotice }, signal),
    'about a selection': ({ engine, sessionId }, onNotice) =>
      engine.editSelection({ ...part, sessionId, onNotice }, () => undefined, signal),
  };
  for (const [where, ask] of Object.entries(questions))
    it(`says so to who asks (${where})`, () =>
      withWorld({ sleep: quickly, story: [LIMITED, { say: 'Here.' }] }, async (world) => {
        const told: string[] = [];
        await ask(world, ({ text }) => told.push(text));
        assert.equal(told.length, 1);
        assert.match(told[0] ?? '', TOLD);
      }));
});

/** Returns the first step once, then the second. */
function once(first: Step, then: Step): () => Step {
  let count = 0;
  return () => (count++ === 0 ? first : then);
}
