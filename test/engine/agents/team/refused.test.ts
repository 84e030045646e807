import assert from 'node:assert/strict';
import type { AgentInternals } from '../../../../src/engine';
import { ToolFailure } from '../../../../src/engine/tools/toolOutput';
import { withWorld } from '../../../support/engineWorld';
import { answerOf, asLead, inTeam, toldAtAll, toldLast } from './leadWorld';
import { agentFile, call, calls, LEAD_AND_WORKER, says, spawn } from './teamStory';

type Team = AgentInternals['team'];

const task = (agent: string) => ['task', { description: 'x', prompt: 'x', subagent_type: agent }] as const;
const startsWorker = (team: Team) => team.spawn({ agent: 'worker', prompt: 'x', callId: null });

/** Returns the error that a program receives if something fails. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'It was done.';
  } catch (error) {
    return error instanceof ToolFailure ? `${error.kind}: ${error.message}` : String(error);
  }
}

/** Registers a program agent that calls `own` with its team; returns its answer. */
async function toldTo(own: (team: Team) => Promise<string>, tools?: readonly string[]): Promise<unknown> {
  let told: unknown;
  await withWorld({ files: LEAD_AND_WORKER }, async (world) => {
    const loop = ({ team }: AgentInternals) => own(team);
    world.engine.registerAgent({ name: 'own', description: 'A program', loop, ...(tools && { tools }) });
    told = answerOf(await world.play('go', { agent: 'own' }));
  });
  return told;
}

describe('An agent that may not start another one', () => {
  it('gets an error at its limit of running agents, without a question to the user', async () => {
    const asked: string[] = [];
    const fields = 'mode: primary\ncan_spawn_agents: true\nmax_concurrent_agents: 1\npermission:\n  task: ask';
    await inTeam(
      [
        says('worker', { say: 'Ok.', hold: 'ok' }),
        calls(spawn('worker', 'x')),
        calls(spawn('other', 'x')),
        { ...call('fs_ls'), hold: 'told' },
        { say: 'End.' },
        { say: 'End.' },
      ],
      {
        files: { ...agentFile('boss', fields), ...agentFile('other') },
        answer: ({ question }) => {
          asked.push(question);
          return { kind: 'answered', texts: ['yes'] };
        },
      },
      async (world) => {
        const handle = world.run('go', { agent: 'boss' });
        await world.server.untilRequests(4);
        for (const name of ['ok', 'told']) world.server.release(name);
        await handle.outcome;
        assert.match(toldAtAll(world), /1 agents are running, which is as many as you may have/);
        assert.deepEqual(asked, ['boss wants to start the agent worker. Allow it?']);
      },
    );
  });

  it('gets an error at the maximum depth, even when it is a program', () =>
    asLead(
      [calls(task('digger')), { say: 'End.' }],
      async (world) => {
        const loop = ({ team }: AgentInternals) => failureOf(startsWorker(team));
        world.engine.registerAgent({ name: 'digger', description: 'Starts others', loop });
        assert.equal(answerOf(await world.play('go', { agent: 'boss' })), 'End.');
        assert.match(toldLast(world), /failed: Agents may go 1 deep, and you are there: do it yourself\./);
      },
      agentFile('boss', 'mode: primary\nmax_agent_depth: 1\npermission:\n  task: allow'),
    ));

  it('gets an error after its run is over', () =>
    withWorld({ files: LEAD_AND_WORKER, story: [says('worker', { say: 'Never asked.' })] }, async (world) => {
      let kept: Team | undefined;
      const loop = ({ team }: AgentInternals) => {
        kept = team;
        return Promise.resolve('Over.');
      };
      world.engine.registerAgent({ name: 'own', description: 'A program', loop });
      assert.equal(answerOf(await world.play('go', { agent: 'own' })), 'Over.');
      assert.match(
        await failureOf(startsWorker(kept ?? assert.fail())),
        /The run is ending, so no other agent is started/,
      );
      assert.equal(world.server.requests.length, 0);
    }));
});

describe('A program with a team', () => {
  const NOBODY = 'bad-arguments: You started no agent “agent_x”.';
  const { signal } = new AbortController();

  for (const [what, use] of [
    ['checks', (team: Team) => team.check('agent_x')],
    ['collects', (team: Team) => team.collect('agent_x', signal)],
    ['waits for', (team: Team) => team.wait('agent_x', signal)],
    ['stops', (team: Team) => team.cancel('agent_x')],
  ] as const) {
    it(`gets an error when it ${what} an agent that it never started`, async () => {
      assert.equal(await toldTo((team) => failureOf(use(team))), NOBODY);
    });
  }

  it('gets an error when it answers an unknown question or assigns a task it may not', async () => {
    const answers = (team: Team) => failureOf(Promise.resolve().then(() => team.reply('question_x', 'yes')));
    assert.match(String(await toldTo(answers)), /^failed: No question question_x waits for you/);
    const given = { subject: 's', blockedBy: [], agent: 'worker', prompt: 'p' };
    assert.equal(
      await toldTo((team) => failureOf(team.createTask(given)), ['fs_ls']),
      'failed: You cannot start agents: do the task yourself.',
    );
  });
});
