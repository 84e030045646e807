import assert from 'node:assert/strict';
import { withWorld } from '../../../support/engineWorld';
import type { Story } from '../../../support/modelServer/story';
import { answerOf, askedOf, asLead, toldLast } from './leadWorld';
import { agentFile, call, LEAD_AND_WORKER, resultsIn, says } from './teamStory';

describe('`task`', () => {
  const boss = agentFile('boss', 'mode: primary\npermission:\n  task:\n    "*": deny\n    work*: allow');
  it('returns the answer of another agent in one call, for agents that declare whom they may call', () =>
    asLead(
      [
        says('worker', { say: 'As asked.' }),
        call('task', { description: 'Look', prompt: 'Look here.', subagent_type: 'worker' }),
        call('task', { description: 'Look', prompt: 'x', subagent_type: 'other' }),
        { say: 'Fine.' },
      ],
      async (world) => {
        assert.equal(answerOf(await world.play('go', { agent: 'boss' })), 'Fine.');
        const [first, second, third] = askedOf(world.server.requests, 'boss');
        assert.ok(first?.tools.includes('task') && !first.tools.includes('agent__spawn'));
        assert.equal(second?.messages.at(-1)?.role, 'tool', 'the answer is not told a second time');
        assert.match(resultsIn(second)[0] ?? '', /^As asked\.\n\n\(session_id: /);
        assert.match(resultsIn(third ?? assert.fail())[0] ?? '', /You cannot start an agent “other”/);
      },
      { ...boss, ...agentFile('other') },
    ));

  it('ends the agent when the call is stopped, and the run goes on', () =>
    asLead(
      [
        says('worker', { fail: 'hang' }),
        call('task', { description: 'Look', prompt: 'Look here.', subagent_type: 'worker' }),
        { say: 'Never mind.' },
      ],
      async (world) => {
        const handle = world.run('go', { agent: 'boss' });
        handle.subscribe((event) => {
          if (event.type === 'state-changed' && event.agentPath.length > 1)
            for (const one of handle.unkept()) if (one.type === 'tool-started') handle.stopCall(one.callId);
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Never mind.' });
        assert.deepEqual(await Promise.all(handle.children.map(({ outcome }) => outcome)), [{ kind: 'cancelled' }]);
        const [request] = askedOf(world.server.requests, 'boss').slice(-1);
        assert.match(resultsIn(request ?? assert.fail())[0] ?? '', /^Canceled by the user while it ran/);
      },
      boss,
    ));

  it('is not offered when there is no agent to call', () =>
    asLead(
      [{ say: '.' }],
      async (world) => {
        await world.play('go', { agent: 'alone' });
        assert.ok(!world.server.requests[0]?.tools.includes('task'));
      },
      agentFile('alone', 'mode: primary\npermission:\n  task: deny'),
    ));

  it('asks the user first when the agent requires it, and is rejected without a user', async () => {
    const files = { ...LEAD_AND_WORKER, ...agentFile('boss', 'mode: primary\npermission:\n  task: ask') };
    const story = (): Story => [
      says('worker', { say: 'As asked.' }),
      call('task', { description: 'Look', prompt: 'x', subagent_type: 'worker' }),
      { say: '.' },
    ];
    const asked: string[] = [];
    await withWorld(
      {
        ...{ files, story: story() },
        answer: ({ question }) => {
          asked.push(question);
          return { kind: 'answered', texts: ['yes'] };
        },
      },
      async (world) => {
        await world.play('go', { agent: 'boss' });
        assert.deepEqual(asked, ['boss wants to start the agent worker. Allow it?']);
        assert.match(toldLast(world), /As asked/);
      },
    );
    await withWorld({ files, story: story() }, async (world) => {
      await world.play('go', { agent: 'boss' });
      assert.match(toldLast(world), /nobody can be asked/);
    });
  });
});
