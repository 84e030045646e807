import assert from 'node:assert/strict';
import { askedOf, asLead, LEAD, leadFile, toldAtAll, toldLast } from './leadWorld';
import { call, calls, collectAll, idsIn, resultsIn, says } from './teamStory';

const newTask = (subject: string, more: object = {}) =>
  ['agent__task_create', { subject, agent: 'worker', prompt: `Do ${subject}.`, ...more }] as const;
const list = call('agent__task_list');

describe('Team tasks', () => {
  it('start their agents when ready, pass on earlier results, and complete with them (D-25)', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: lastText.startsWith('Do one') ? 'One is 7.' : `Knows: ${lastText}` })),
        calls(newTask('one'), newTask('two', { blocked_by: ['1'] })),
        { say: 'I wait.' },
        list,
        { say: 'I wait on.' },
        list,
        { say: 'End.' },
        { say: 'End.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const prompts = askedOf(world.server.requests, 'worker').map(({ lastText }) => lastText);
        assert.equal(prompts[0], 'Do one.');
        assert.match(
          prompts[1] ?? '',
          /^Do two\.\n\n# What the tasks before this one found\n\n## Task 1: one\nOne is 7\.$/,
        );
        const told = world.server.requests.flatMap((request) => resultsIn(request));
        assert.match(told[0] ?? '', /"auto_dispatched": \[\s+\{\s+"task_id": "1",\s+"id": "agent_worker_/);
        assert.match(told.at(-1) ?? '', /"id": "2",[^]*"status": "(completed|in_progress)"/);
      },
    ));

  it('wait for a free slot and start when an agent ends', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: 'Ok.', ...(lastText === 'Do one.' && { hold: 'one' }) })),
        calls(newTask('one'), newTask('two')),
        list,
        (request) => {
          assert.match(resultsIn(request)[0] ?? '', /"id": "2",[^]*"status": "pending",\s+"owner": null/);
          return { say: 'I wait.' };
        },
        collectAll,
        { say: '.' },
        { say: '.' },
        { say: '.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(4);
        world.server.release('one');
        await handle.outcome;
        const prompts = askedOf(world.server.requests, 'worker').map(({ lastText }) => lastText);
        assert.deepEqual(prompts, ['Do one.', 'Do two.']);
      },
      leadFile('max_concurrent_agents: 1'),
    ));

  it('fail with their agent, and so do those that depend on them', () =>
    asLead(
      [
        says('worker', { fail: { status: 400, body: { error: { message: 'Broken' } } } }),
        calls(newTask('one'), newTask('two', { blocked_by: ['1'] })),
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        list,
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const told = toldLast(world);
        assert.equal(told.match(/"status": "failed"/g)?.length, 2);
        assert.match(told, /Failed\([^]*Broken[^]*Task 1, which it waits for, failed/);
      },
    ));

  it('can be completed manually, and report an unknown agent immediately', () =>
    asLead(
      [
        says('worker', { say: 'Ok.' }),
        calls(
          ['agent__task_create', { subject: 'mine' }],
          newTask('then', { blocked_by: ['1'] }),
          newTask('bad', { agent: 'worcer' }),
        ),
        call('agent__task_complete', { task_id: '1' }),
        collectAll,
        call('agent__task_fail', { task_id: '9' }),
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const told = toldAtAll(world);
        assert.match(told, /no agent|You cannot start an agent “worcer”\. Did you mean worker\?/);
        assert.match(told, /"newly_runnable": \[\s+\{\s+"id": "2"[^]*"auto_dispatched": \[\s+\{\s+"task_id": "2"/);
        assert.match(told, /There is no task 9/);
      },
    ));

  it('are pending again when the agent meant to do them could not start', () =>
    asLead(
      [
        call('agent__task_create', { subject: 'count' }),
        call('agent__spawn', { agent: 'worker', prompt: 'Count.', task_id: '1', session_id: 'no-such-session' }),
        list,
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldAtAll(world), /Start a new agent without session_id/);
        assert.match(toldLast(world), /"id": "1",[^]*"status": "pending",\s+"owner": null/);
      },
    ));

  it('assigned to an agent manually complete with it', () =>
    asLead(
      [
        says('worker', { say: 'Seven.' }),
        call('agent__task_create', { subject: 'count' }),
        call('agent__spawn', { agent: 'worker', prompt: 'Count.', task_id: '1' }),
        collectAll,
        list,
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const told = toldLast(world);
        assert.match(told, /"status": "completed",\s+"owner": "worker"[^]*"output": "Seven\."/);
      },
    ));
});
