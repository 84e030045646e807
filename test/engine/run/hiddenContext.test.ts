import assert from 'node:assert/strict';
import * as z from 'zod';
import {
  EngineError,
  type HiddenContext,
  type PluginTool,
  ResourceKey,
  Resources,
  type RunMetadata,
} from '../../../src/engine';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { asLead, LEAD } from '../agents/team/leadWorld';
import { call, calls, callsThenSays, collectAll, spawn } from '../agents/team/teamStory';

const TIDES = new ResourceKey<{ at: string }>('acme.tides');
const metadata = { tenant: 'hidden-tenant', plan: { seats: 7 } };
const resources = Resources.none.with(TIDES, { at: 'hidden-tide' });

/** Records the context of each call and does not reveal it. */
function spy(seen: HiddenContext[]): PluginTool {
  return {
    name: 'acme_spy',
    description: 'Looks',
    category: 'read',
    inputSchema: { type: 'object' },
    run: (_, context) => {
      seen.push(context);
      return Promise.resolve('Looked.');
    },
  };
}

const sent = ({ server }: EngineWorld) => JSON.stringify(server.requests.map(({ body, headers }) => [body, headers]));
const tideOf = (seen: HiddenContext | undefined) => seen?.resources.get(TIDES)?.at;

describe('Context for tools only', () => {
  for (const [dialect, model, settings] of [
    ['Responses', 'openai:gpt-5', { openai: { api: 'responses' } }],
    ['Chat Completions', 'openai:test-model', { openai: { api: 'chat' } }],
    ['Messages', 'anthropic:test-model', {}],
  ] as const) {
    it(`reaches tools and is not sent over ${dialect}`, () =>
      withWorld({ settings, story: [call('acme_spy'), call('acme_spy'), { say: 'Done.' }] }, async (world) => {
        const seen: HiddenContext[] = [];
        world.engine.registerTool(spy(seen));
        const handle = world.run('look', { model, metadata, resources });
        assert.equal((await handle.outcome).kind, 'completed');
        assert.deepEqual(
          seen.map(({ runId, parentSessionId, turn }) => [runId, parentSessionId, turn]),
          [
            [handle.id, null, 1],
            [handle.id, null, 2],
          ],
        );
        assert.deepEqual([seen[0]?.metadata, tideOf(seen[0])], [metadata, 'hidden-tide']);
        assert.equal(world.server.requests.length, 3);
        assert.doesNotMatch(sent(world), new RegExp(`hidden-|seats|${handle.id}`));
      }));
  }

  it('is inherited by started agents, which know who started them', () =>
    asLead(
      [
        callsThenSays('worker', call('acme_spy'), 'Looked.'),
        calls(spawn('worker', 'Look.')),
        collectAll,
        { say: 'Done.' },
      ],
      async (world) => {
        const seen: HiddenContext[] = [];
        world.engine.registerTool(spy(seen));
        await world.play('look', { ...LEAD, metadata, resources });
        const [inChild] = seen;
        assert.deepEqual([inChild?.metadata, tideOf(inChild)], [metadata, 'hidden-tide']);
        assert.equal(inChild?.parentSessionId, world.sessionId);
        assert.doesNotMatch(sent(world), /hidden-/);
      },
    ));

  it('is saved with the session if it is metadata, and can be changed by a later run', () =>
    withWorld({ story: [call('acme_spy'), { say: 'One.' }, call('acme_spy'), { say: 'Two.' }] }, async (world) => {
      const seen: HiddenContext[] = [];
      world.engine.registerTool(spy(seen));
      await world.play('look', { metadata, resources });
      const later = await world.restart();
      later.engine.registerTool(spy(seen));
      await later.play('look', { metadata: { tenant: 'other' } });
      assert.deepEqual(seen[1]?.metadata, { ...metadata, tenant: 'other' });
      assert.equal(tideOf(seen[1]), undefined);
    }));

  it('is taken from the engine where neither the session nor the run sets it', () =>
    withWorld(
      { metadata: { tenant: 'everyone', region: 'north' }, resources, story: [call('acme_spy'), { say: 'Done.' }] },
      async (world) => {
        const seen: HiddenContext[] = [];
        world.engine.registerTool(spy(seen));
        const own = new ResourceKey<number>('own');
        await world.play('look', { metadata: { tenant: 'mine' }, resources: Resources.none.with(own, 5) });
        assert.deepEqual(seen[0]?.metadata, { tenant: 'mine', region: 'north' });
        assert.deepEqual([tideOf(seen[0]), seen[0].resources.get(own)], ['hidden-tide', 5]);
        assert.throws(() => seen[0]?.resources.need(new ResourceKey('acme.moon')), /no resource “acme\.moon”/);
      },
    ));

  it('is available to a program agent', () =>
    withWorld({ story: [] }, async (world) => {
      world.engine.registerAgent({
        name: 'own',
        description: 'A program',
        loop: (run) =>
          Promise.resolve(`${JSON.stringify(run.metadata['tenant'])} ${run.resources.need(TIDES).at} ${run.turn}`),
      });
      const { outcome } = await world.play('look', { agent: 'own', metadata, resources });
      assert.deepEqual(outcome, { kind: 'completed', answer: '"hidden-tenant" hidden-tide 0' });
    }));

  it('is rejected if its metadata cannot be saved, with the alternative', () =>
    withWorld({ story: [] }, (world) => {
      // As from a program without type checks.
      const wrong = z.custom<RunMetadata>(() => true).parse({ open: { now: () => 1 } });
      assert.throws(
        () => world.run('go', { metadata: wrong }),
        (error) => EngineError.is(error, 'invalid-input') && /“open” is not JSON.*resource/.test(error.message),
      );
      return Promise.resolve();
    }));
});
