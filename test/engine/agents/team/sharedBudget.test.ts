import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import type { RunRequest } from '../../../../src/engine';
import type { EngineWorld, Played } from '../../../support/engineWorld';
import { askedOf, asLead, leadFile, ofType } from './leadWorld';
import { agentFile, calls, callsThenSays, collectAll, leadsUntilDone, says, spawn } from './teamStory';

const LEAD = { agent: 'lead', model: 'openai:gpt-5.4' };

const LEADS = leadFile(`max_concurrent_agents: 6`);
/** Not more than what a request of this size is expected to use before it is answered. */
const usage = { input: 1_500, output: 4_000 };
const four = calls(...['a', 'b', 'c', 'd'].map((name) => spawn('worker', name)));
/** Never finishes. */
const restless = says('worker', ({ messages }) => ({
  ...calls(['fs_grep', { pattern: `x${messages.length}`, path: '.' }]),
  usage,
}));

async function playWith(world: EngineWorld, limits: RunRequest['limits'] = {}) {
  const played = await world.play('go', { ...LEAD, limits });
  const reports = ofType(played, 'usage-reported');
  const tokens = reports.map((one) => one.usage.inputTokens + one.usage.outputTokens);
  const costs = reports.map(({ costUsd }) => costUsd ?? 0);
  return { played, tokens, costs };
}

const sum = (all: readonly number[]) => all.reduce((before, one) => before + one, 0);

function endOf({ outcome }: Pick<Played, 'outcome'>): string {
  return outcome.kind === 'limit-reached' ? outcome.limit : outcome.kind;
}

describe('A budget shared by several agents', () => {
  for (const limit of [20_000, 30_000, 60_000]) {
    it(`is exceeded by at most one request, for ${limit} tokens`, () =>
      asLead(
        [restless, { ...four, usage }, collectAll],
        async (world) => {
          const { played, tokens } = await playWith(world, { tokens: limit });
          assert.equal(endOf(played), 'tokens');
          assert.ok(sum(tokens) >= limit && sum(tokens) <= limit + Math.max(...tokens), tokens.join(' '));
        },
        LEADS,
      ));
  }

  it('is exceeded by at most one request, for dollars', () =>
    asLead(
      [restless, { ...four, usage }, collectAll],
      async (world) => {
        const { played, costs } = await playWith(world, { costUsd: 0.3 });
        assert.equal(endOf(played), 'cost');
        assert.ok(sum(costs) >= 0.3 && sum(costs) <= 0.3 + Math.max(...costs) + 1e-9, costs.join(' '));
      },
      LEADS,
    ));

  it('delays a request that could exceed it together with those under way', () =>
    asLead(
      [says('worker', { say: 'Yes.', hold: 'all', usage }), { ...four, usage }, { say: 'No.' }],
      async (world) => {
        const handle = world.run('go', { ...LEAD, limits: { tokens: 14_000 } });
        const thinks = new Deferred<void>();
        const thinking = new Set<string>();
        handle.subscribe((event) => {
          if (event.type === 'state-changed' && event.state === 'thinking') thinking.add(event.sessionId);
          if (thinking.size === 5) thinks.resolve();
        });
        await thinks.promise;
        await world.server.untilRequests(3);
        world.server.release('all');
        assert.equal(endOf({ outcome: await handle.outcome }), 'tokens');
        assert.equal(askedOf(world.server.requests, 'worker').length, 2);
      },
      LEADS,
    ));

  it('is respected for the number of turns in a run', () =>
    asLead(
      [restless, four, collectAll],
      async (world) => {
        const { played, tokens } = await playWith(world, { turns: 6 });
        assert.equal(endOf(played), 'turns');
        assert.equal(tokens.length, 6);
      },
      LEADS,
    ));

  it('allows concurrent requests while there is room', () =>
    asLead(
      [says('worker', { say: 'Yes.', hold: 'all', usage }), leadsUntilDone(four, 'All.')],
      async (world) => {
        const handle = world.run('go', { ...LEAD, limits: { tokens: 200_000 } });
        await world.server.untilRequests(6);
        assert.equal(askedOf(world.server.requests, 'worker').length, 4);
        world.server.release('all');
        assert.equal((await handle.outcome).kind, 'completed');
      },
      LEADS,
    ));

  it('stops agents further down as well, even when it belongs to a distant ancestor', () =>
    asLead(
      [
        says('helper', ({ messages }) => ({
          ...calls(['fs_grep', { pattern: `y${messages.length}`, path: '.' }]),
          usage,
        })),
        callsThenSays('worker', calls(spawn('helper', 'x'), spawn('helper', 'y')), collectAll),
        calls(spawn('worker', 'a'), spawn('worker', 'b')),
        collectAll,
      ],
      async (world) => {
        const { played, tokens } = await playWith(world, { tokens: 30_000 });
        assert.equal(endOf(played), 'tokens');
        assert.ok(sum(tokens) <= 30_000 + Math.max(...tokens), tokens.join(' '));
      },
      {
        ...agentFile('worker', 'description: Helps\ncan_spawn_agents: true'),
        ...agentFile('helper'),
        ...leadFile('max_agent_depth: 3'),
      },
    ));

  it('is not spent on a summary when nothing is left', () =>
    asLead(
      [
        { when: ({ tools }) => tools.length === 0, step: { say: 'In short.', usage } },
        says('worker', { say: 'A long answer, that is to say.', usage: { input: 3_000, output: 9_000 } }),
        calls(spawn('worker', 'x')),
        collectAll,
      ],
      async (world) => {
        const { played, tokens } = await playWith(world, { tokens: 10_000 });
        assert.equal(endOf(played), 'tokens');
        assert.equal(tokens.length, 3);
      },
      leadFile('summarization_threshold: 10'),
    ));
});

describe('The turn limit in the file of an agent', () => {
  it('applies to its own turns, not to those of its subagents', () =>
    asLead(
      [callsThenSays('worker', calls(['fs_ls', {}]), 'Yes.'), leadsUntilDone(four, 'Done.')],
      async (world) => {
        assert.equal(endOf((await playWith(world)).played), 'completed');
        assert.equal(askedOf(world.server.requests, 'worker').length, 8);
      },
      leadFile('max_turns: 6'),
    ));
});
