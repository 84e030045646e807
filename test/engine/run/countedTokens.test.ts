import assert from 'node:assert/strict';
import type { LlmEvent, Provider } from '../../../src/engine';
import { type Played, withWorld } from '../../support/engineWorld';
import type { Story, StoryStep } from '../../support/modelServer/story';
import { agentFile, calls, collectAll, says, spawn } from '../agents/team/teamStory';
import { retriesAtOnce as sleep } from '../../support/retriesAtOnce';

const NOTHING = { input: 0, output: 0 };
const MUCH = { input: 100_000, output: 0 };
const LIMIT = { kind: 'limit-reached', limit: 'tokens' };

/** Lists a different folder each time, without end. */
const endless: Story = [
  {
    when: () => true,
    step: ({ messages }) => ({ call: [{ name: 'fs_ls', arguments: { path: `f${messages.length}` } }], usage: NOTHING }),
  },
];

const owing: StoryStep = ({ messages }) => ({
  call: [{ name: 'fs_ls', arguments: { path: `f${messages.length}` } }],
  usage: { input: -1_000_000, output: -1 },
});

function noticesOf({ events }: Played): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
}

function reportedIn({ events }: Played): number {
  return events.reduce((sum, event) => sum + (event.type === 'usage-reported' ? event.usage.inputTokens : 0), 0);
}

/** A provider from an extension that reports no token counts. */
function silentProvider(): Provider & { asked: number } {
  const provider = {
    ...{ id: 'silent', label: 'Silent', needsKey: false, asked: 0 },
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream(): AsyncGenerator<LlmEvent> {
        await Promise.resolve();
        const call = { id: 'call_0', name: 'fs_ls', arguments: `{"path":"f${++provider.asked}"}` };
        yield { type: 'tool-call', call };
        yield { type: 'finished', reason: 'tool-calls' };
      },
    }),
  };
  return provider;
}

describe('A token limit', () => {
  for (const model of ['openai:test-model', 'anthropic:test-model']) {
    it(`applies to ${model} when it reports no usage, with one notice that it is an estimate`, () =>
      withWorld({ story: endless }, async (world) => {
        const played = await world.play('go', { model, limits: { tokens: 12_000, turns: 40 } });
        assert.deepEqual(played.outcome, LIMIT);
        const { length } = world.server.requests;
        assert.ok(length > 1 && length < 13, `${length} requests`);
        assert.deepEqual(
          noticesOf(played).filter((text) => /does not say how many tokens/.test(text)),
          [`${model} does not say how many tokens it uses, so the limit counts an estimate of them.`],
        );
      }));
  }

  it('is not increased by negative usage', () =>
    withWorld({ story: [{ when: () => true, step: owing }] }, async (world) => {
      const played = await world.play('go', { limits: { tokens: 12_000, turns: 40 } });
      assert.deepEqual(played.outcome, LIMIT);
    }));

  it('applies to an extension’s model that reports nothing', () =>
    withWorld({}, async (world) => {
      const provider = silentProvider();
      world.engine.registerProvider(provider);
      const played = await world.play('go', { model: 'silent:m', limits: { tokens: 12_000, turns: 40 } });
      assert.deepEqual(played.outcome, LIMIT);
      assert.ok(provider.asked > 1 && provider.asked < 13, `${provider.asked} requests`);
    }));

  it('applies to a started agent whose model reports no usage', () =>
    withWorld(
      {
        files: {
          ...agentFile('lead', 'description: Leads\nmode: primary\ncan_spawn_agents: true'),
          ...agentFile('worker'),
        },
        story: [
          says('worker', ({ messages }) => ({
            call: [{ name: 'fs_ls', arguments: { path: `f${messages.length}` } }],
            usage: NOTHING,
          })),
          { ...calls(spawn('worker', 'x')), usage: NOTHING },
          collectAll,
          { say: 'No.' },
        ],
      },
      async (world) => {
        const { events } = await world.play('go', { agent: 'lead', limits: { tokens: 12_000, turns: 60 } });
        const outcomes = events.flatMap((event) => (event.type === 'agent-finished' ? [event.outcome] : []));
        assert.deepEqual(outcomes, [LIMIT]);
      },
    ));

  it('records the usage of an answer without text', () =>
    withWorld({ story: [{ usage: { input: 7, output: 2 } }] }, async (world) => {
      const played = await world.play('go');
      assert.equal(reportedIn(played), 7);
      const { history } = await (await world.restart()).engine.sessions.open(world.sessionId);
      const kept = history.flatMap((entry) => (entry.type === 'used-aside' ? [entry.usage.inputTokens] : []));
      assert.deepEqual(kept, [7]);
    }));

  it('shows no estimate notice without a limit, and counts nothing for a rejected request', () =>
    withWorld({ story: [{ fail: { status: 400 } }, { say: 'Yes.', usage: NOTHING }] }, async (world) => {
      await world.play('go', { limits: { tokens: 3_000 } });
      const played = await world.play('again');
      assert.equal(played.outcome.kind, 'completed');
      assert.deepEqual(noticesOf(played), []);
    }));
});

describe('A failed attempt', () => {
  it('is counted, reported and saved like the successful one', () =>
    withWorld(
      {
        sleep,
        story: [
          { fail: 'error-in-stream', usage: MUCH },
          { fail: 'error-in-stream', usage: MUCH },
          { call: [{ name: 'fs_ls', arguments: {} }], usage: MUCH },
          { say: 'Never.' },
        ],
      },
      async (world) => {
        const played = await world.play('go', { model: 'anthropic:test-model', limits: { tokens: 250_000 } });
        assert.deepEqual(played.outcome, LIMIT);
        assert.equal(world.server.requests.length, 3);
        assert.equal(reportedIn(played), 300_000);
        const { history } = await world.engine.sessions.open(world.sessionId);
        const kept = history.flatMap((entry) => (entry.type === 'used-aside' ? [entry.usage.inputTokens] : []));
        assert.deepEqual(kept, [100_000, 100_000]);
      },
    ));

  it('is counted by estimate where the vendor reported no usage', () =>
    withWorld(
      {
        sleep,
        story: [
          { fail: 'error-in-stream' },
          { fail: 'cut-before' },
          { call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 10, output: 1 } },
          { say: 'Never.' },
        ],
      },
      async (world) => {
        const played = await world.play('go', { limits: { tokens: 4_000 } });
        assert.deepEqual(played.outcome, LIMIT);
        assert.equal(world.server.requests.length, 3);
      },
    ));
});
