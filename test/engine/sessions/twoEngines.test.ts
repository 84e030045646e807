import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

describe('Two engines of one program in one session', () => {
  it('run one after the other, and the second sees what the first one wrote', () =>
    withWorld(
      {
        story: [
          { say: 'First answer.', hold: 'first' },
          ({ messages }) => ({ say: `I know: ${messages.map(({ text }) => text).join(' / ')}` }),
        ],
      },
      async (world) => {
        const first = world.run('one');
        await world.server.untilRequests(1);
        const other = await world.restart();
        const second = other.run('two');
        const events: AgentEvent[] = [];
        const waits = new Promise<void>((resolve) => {
          second.subscribe((event) => {
            events.push(event);
            if (event.type === 'state-changed' && event.state === 'waiting-for-session') resolve();
          });
        });
        await Promise.race([waits, second.outcome]);
        assert.equal(world.server.requests.length, 1);
        world.server.release('first');
        assert.deepEqual(await first.outcome, { kind: 'completed', answer: 'First answer.' });
        const outcome = await second.outcome;
        assert.match(JSON.stringify(outcome), /I know: .*one \/ First answer\. \/ two/);
        const { messages } = await (await world.restart()).engine.sessions.open(world.sessionId);
        assert.deepEqual(
          messages.map(({ role }) => role),
          ['user', 'assistant', 'user', 'assistant'],
        );
      },
    ));

  it('delete it only when none of them is running in it', () =>
    withWorld({ story: [{ say: 'Done.', hold: 'it' }] }, async (world) => {
      const run = world.run('go');
      await world.server.untilRequests(1);
      const { engine } = await world.restart();
      await assert.rejects(engine.deleteSession(world.sessionId), /running in another window/);
      world.server.release('it');
      assert.equal((await run.outcome).kind, 'completed');
      assert.deepEqual(await engine.deleteSession(world.sessionId), [world.sessionId]);
    }));
});
