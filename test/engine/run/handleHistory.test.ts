import assert from 'node:assert/strict';
import { textOf } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import { asLead, LEAD } from '../agents/team/leadWorld';
import { calls, callsThenSays, says, spawn } from '../agents/team/teamStory';

describe('The run handle', () => {
  it('returns the conversation including earlier runs and what no model is sent', () =>
    withWorld({ metadata: { tenant: 'north' }, story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first', { metadata: { order: 7 } });
      const handle = world.run('second');
      await handle.outcome;
      const said = (await handle.history()).map((one) => (one.role === 'tool' ? '' : textOf(one)));
      assert.deepEqual(said, ['first', 'One.', 'second', 'Two.']);
      assert.deepEqual(await handle.metadata(), { tenant: 'north', order: 7 });
    }));

  it('yields its events to the end of its own run, and none after it', () =>
    asLead(
      [says('worker', { say: 'Found it.' }), callsThenSays('lead', calls(spawn('worker', 'Look.')), 'Thanks.')],
      async (world) => {
        const handle = world.run('go', LEAD);
        const ends: string[] = [];
        for await (const event of handle.events())
          if (event.type === 'run-finished') ends.push(event.agentPath.join('/'));
        assert.deepEqual(ends, ['lead/worker', 'lead']);
        for await (const event of handle.events()) assert.fail(`${event.type} after the end`);
      },
    ));

  it('reports that the session is gone once it is deleted', () =>
    withWorld({ story: [{ say: 'One.' }] }, async (world) => {
      const handle = world.run('first');
      await handle.outcome;
      await world.engine.deleteSession(world.sessionId);
      await assert.rejects(handle.history(), { reason: 'not-found' });
    }));
});
