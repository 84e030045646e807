import assert from 'node:assert/strict';
import { type EngineWorld, withWorld } from '../../../support/engineWorld';
import { answerOf, askedOf, asLead, LEAD, leadFile, ofType, toldAtAll, toldLast, untilEvent } from './leadWorld';
import { agentFile, call, calls, collectAll, idsIn, LEAD_AND_WORKER, resultsIn, says, spawn } from './teamStory';

/** Returns the titles of the agents' sessions that still have a run. */
async function stillRunning({ engine }: EngineWorld): Promise<string[]> {
  const sessions = await engine.sessions.list();
  return sessions.flatMap(({ id, title }) => (engine.runOf(id) ? [title] : []));
}

const last = ({ server }: EngineWorld) => server.requests.at(-1) ?? assert.fail();
const task = (prompt: string, more: object = {}) =>
  ['task', { description: 'x', prompt, subagent_type: 'worker', ...more }] as const;
const boss = agentFile('boss', 'mode: primary\npermission:\n  task: allow');

describe('The end of a run with subagents', () => {
  it('is reached even when two calls at once continue the same session', () =>
    asLead(
      [
        says('worker', { say: 'Here.' }),
        calls(task('first')),
        (request) => {
          const session_id = /session_id: ([0-9a-f-]{36})/.exec(resultsIn(request)[0] ?? '')?.[1];
          return calls(task('second', { session_id }), task('third', { session_id }));
        },
        { say: 'End.' },
      ],
      async (world) => {
        assert.equal(answerOf(await world.play('go', { agent: 'boss' })), 'End.');
        const told = resultsIn(last(world)).join('\n');
        assert.match(told, /^Here\./);
        assert.match(told, /still running in that session/);
      },
      boss,
    ));

  it('is reached even when another run uses the session of an agent', () =>
    asLead(
      [
        says('worker', (request) => ({ say: 'Here.', ...(request.lastText === 'mine' && { hold: 'mine' }) })),
        calls(spawn('worker', 'first')),
        collectAll,
        (request) => ({
          ...call('agent__spawn', {
            agent: 'worker',
            prompt: 'again',
            session_id: /"session_id": "([^"]+)"/.exec(resultsIn(request)[0] ?? '')?.[1],
          }),
          hold: 'busy',
        }),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(4);
        const [child] = (await world.engine.sessions.list()).filter(({ parent }) => parent);
        const mine = world.engine.run({ sessionId: child?.id ?? '', input: 'mine' });
        await world.server.untilRequests(5);
        world.server.release('busy');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
        assert.match(toldLast(world), /worker could not be started: .*run in progress/);
        world.server.release('mine');
        assert.equal((await mine.outcome).kind, 'completed');
      },
    ));

  it('starts no pending tasks and leaves no agent running', () =>
    asLead(
      [
        says('worker', { say: 'x', hold: 'never' }),
        calls(
          ...['1', '2', '3', '4'].map(
            (subject) => ['agent__task_create', { subject, agent: 'worker', prompt: subject }] as const,
          ),
        ),
        { say: 'Never asked.' },
      ],
      async (world) => {
        const played = await world.play('go', { ...LEAD, limits: { turns: 1 } });
        assert.equal(played.outcome.kind, 'limit-reached');
        assert.deepEqual(await stillRunning(world), []);
        assert.equal(ofType(played, 'agent-spawned').length, 1);
      },
      leadFile('max_concurrent_agents: 1'),
    ));

  it('stops an agent that is just being started', () =>
    asLead(
      [
        says('worker', { say: 'x', hold: 'never' }),
        calls(...['1', '2', '3', '4'].map((name) => spawn('worker', name))),
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilEvent(handle, ({ type }) => type === 'tool-started');
        handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        assert.deepEqual(await stillRunning(world), []);
      },
    ));

  it('by a shutdown does not cancel its subagents', () =>
    asLead(
      [says('worker', { say: 'Half', hold: 'half' }), calls(spawn('worker', 'x')), { say: 'Wait.', hold: 'wait' }],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(3);
        await world.engine.shutDown();
        await handle.outcome;
        const later = await world.restart();
        const { history } = await later.engine.sessions.open(world.sessionId);
        assert.deepEqual(
          history.flatMap(({ type }) => (type.startsWith('agent-') ? [type] : [])),
          ['agent-spawned'],
        );
      },
    ));
});

describe('A team', () => {
  it('never exceeds its limit of running agents, even when all are started at once', () =>
    asLead(
      [
        says('worker', { say: 'Ok.', hold: 'ok' }),
        calls(...Array.from({ length: 9 }, (_, at) => task(`${at}`))),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', { agent: 'boss' });
        await world.server.untilRequests(5);
        world.server.release('ok');
        assert.equal((await handle.outcome).kind, 'completed');
        assert.equal(askedOf(world.server.requests, 'worker').length, 4);
        const told = resultsIn(last(world));
        assert.equal(told.filter((text) => /as many as you may have/.test(text)).length, 5);
      },
      boss,
    ));

  it('asks the user once for each agent, where that can be answered', async () => {
    const files = { ...LEAD_AND_WORKER, ...agentFile('boss', 'mode: primary\npermission:\n  task: ask') };
    const asked: string[] = [];
    await withWorld(
      {
        files,
        story: [says('worker', { say: 'Ok.' }), calls(task('1'), task('2'), task('3')), { say: '.' }],
        answer: ({ callId }) => {
          asked.push(callId);
          return { kind: 'answered', texts: ['yes'] };
        },
      },
      async (world) => {
        const played = await world.play('go', { agent: 'boss' });
        assert.equal(asked.length, 1);
        const shown = ofType(played, 'tool-prepared').find(({ callId }) => callId === asked[0]);
        assert.match(shown?.title ?? '', /wants to start the agent worker/);
        assert.equal(askedOf(world.server.requests, 'worker').length, 3);
      },
    );
  });

  it('receives a question even while another answer is being collected', () =>
    asLead(
      [
        says('worker', { say: 'Done.' }),
        says('asker', (request) =>
          resultsIn(request).length > 0 ? { say: 'Thanks.' } : call('user__confirm', { question: 'May I?' }),
        ),
        calls(spawn('asker', 'x'), spawn('worker', 'y')),
        { call: [{ name: 'fs_ls', arguments: {} }], hold: 'asked' },
        (request) => call('agent__collect', { id: idsIn(request)[1] }),
        (request) => {
          const id = /"escalation_id": "([^"]+)"/.exec(resultsIn(request)[0] ?? '')?.[1];
          return call('agent__reply_escalation', { escalation_id: id, reply: 'yes' });
        },
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await Promise.all([
          untilEvent(handle, ({ type }) => type === 'question-asked'),
          untilEvent(handle, ({ type }) => type === 'agent-finished'),
        ]);
        world.server.release('asked');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
        assert.match(toldLast(world), /Thanks\./);
      },
      agentFile('asker'),
    ));

  it('tells an agent with limited tools what it cannot look up', () =>
    asLead(
      [
        says('quiet', (request) =>
          resultsIn(request).length > 0
            ? { say: request.messages.find(({ text }) => text.startsWith('Message from'))?.text ?? 'No mail.' }
            : { ...call('fs_ls'), hold: 'mail' },
        ),
        calls(spawn('quiet', 'x')),
        (request) => call('agent__send_message', { id: idsIn(request)[0], message: 'Look at b.ts too.' }),
        collectAll,
        (request) => call('agent__send_message', { id: idsIn(request)[0], message: 'Too late.' }),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(4);
        world.server.release('mail');
        await handle.outcome;
        const told = toldAtAll(world);
        assert.match(told, /"output": "Message from root: Look at b\.ts too\."/);
        assert.match(told, /has ended and hears nothing\. Start it again with session_id/);
      },
      agentFile('quiet', 'tools: [fs_ls]'),
    ));

  it('starts no agent for a task when the creator may not start agents', () =>
    asLead(
      [call('agent__task_create', { subject: 's', agent: 'worker', prompt: 'p' }), { say: 'End.' }],
      async (world) => {
        const played = await world.play('go', LEAD);
        assert.equal(ofType(played, 'agent-spawned').length, 0);
        assert.match(toldLast(world), /You cannot start agents/);
      },
      leadFile('permission:\n  agent__spawn: deny'),
    ));
});

describe('`task`', () => {
  it('ends its agent when the call is cancelled, and reports the progress of an interrupted one', () =>
    asLead(
      [
        says('worker', (request) =>
          request.messages[1]?.text === 'long' ? { say: 'x', hold: 'never' } : { ...call('fs_ls'), say: 'Half way.' },
        ),
        calls(task('long')),
        calls(task('short')),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', { agent: 'boss' });
        const events: string[] = [];
        handle.subscribe((event) => {
          if (event.type === 'agent-finished') events.push(event.outcome.kind);
          if (event.type !== 'text-delta' || event.text !== 'x') return;
          const [call] = handle.unkept().flatMap((one) => (one.type === 'tool-started' ? [one.callId] : []));
          handle.stopCall(call ?? '');
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
        assert.deepEqual(events, ['cancelled', 'limit-reached']);
        assert.match(toldLast(world), /did not finish: Failed\(".*turns.*"\)[^]*Half way\./);
      },
      { ...boss, ...agentFile('worker', 'max_turns: 1') },
    ));
});
