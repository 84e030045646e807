import assert from 'node:assert/strict';
import { textOf } from '../../../../src/engine';
import { collectGarbage } from '../../../support/collectGarbage';
import { type EngineWorld, withWorld } from '../../../support/engineWorld';
import { answerOf, askedOf, asLead, LEAD, ofType } from './leadWorld';
import { agentFile, call, calls, collectAll, idsIn, resultsIn, says, spawn } from './teamStory';

/** Returns how many sessions are still referenced in memory after garbage collection. */
async function heldSessions({ engine }: EngineWorld): Promise<number> {
  for (let times = 0; times < 10 && engine.sessions.inMemory > 1; times++) await collectGarbage();
  return engine.sessions.inMemory;
}

const threeWorkers = [
  says('worker', ({ messages }) => ({ say: `Heard ${messages.filter(({ role }) => role === 'user').length}.` })),
  calls(spawn('worker', 'one'), spawn('worker', 'two'), spawn('worker', 'three')),
  collectAll,
];

describe('The session of a subagent', () => {
  it('is released from memory once the agent is done, and resumes from disk', () =>
    asLead(
      [
        ...threeWorkers,
        { say: 'All in.' },
        (request) => {
          const id = /"session_id": "([^"]+)"/.exec(
            request.messages.flatMap(({ results }) => results)[0]?.text ?? '',
          )?.[1];
          return calls(['agent__spawn', { agent: 'worker', prompt: 'more', session_id: id }]);
        },
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        (request) => ({ say: resultsIn(request).join() }),
      ],
      async (world) => {
        const first = await world.play('go', LEAD);
        assert.equal(answerOf(first), 'All in.');
        assert.equal(await heldSessions(world), 1, 'only the session of the user is left');
        const again = await world.play('go on', LEAD);
        assert.match(String(answerOf(again)), /Heard 2\./, 'it knows its first task');
        assert.equal(askedOf(world.server.requests, 'worker').length, 4);
      },
    ));

  it('is released even while the parent agent is still working', async () => {
    let held = 0;
    await withWorld({ files: agentFile('worker'), story: [says('worker', { say: 'Yes.' })] }, async (world) => {
      world.engine.registerAgent({
        name: 'own',
        description: 'A program',
        loop: async ({ team, signal }) => {
          const begun = ['one', 'two', 'three'].map((prompt) => team.spawn({ agent: 'worker', prompt, callId: null }));
          const ids = (await Promise.all(begun)).map(({ id }) => id);
          await Promise.all(ids.map((id) => team.wait(id, signal)));
          held = await heldSessions(world);
          const reports = await Promise.all(ids.map((id) => team.check(id)));
          return reports.map(({ report }) => report.output).join();
        },
      });
      const played = await world.play('go', { agent: 'own' });
      assert.deepEqual([held, answerOf(played)], [1, 'Yes.,Yes.,Yes.']);
    });
  });

  it('is shared by all who hold it, and reloaded once it was released', () =>
    asLead([...threeWorkers, { say: 'All in.' }], async (world) => {
      const { events } = await world.play('go', LEAD);
      const id = ofType({ events }, 'agent-spawned')[0]?.childSessionId ?? assert.fail();
      const { sessions } = world.engine;
      const held = await sessions.open(id);
      await collectGarbage();
      assert.equal(await sessions.open(id), held);
      await held.configure({ title: 'Looked at' });
      const words = (await world.engine.sessions.open(id)).messages.map((one) =>
        one.role === 'tool' ? '' : textOf(one),
      );
      assert.deepEqual(words, ['one', 'Heard 1.']);
      const restarted = (await (await world.restart()).engine.sessions.open(id)).metadata;
      assert.equal(restarted.title, 'Looked at');
    }));
});
