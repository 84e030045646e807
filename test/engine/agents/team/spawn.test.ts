import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/engine';
import {
  answerOf,
  askedOf,
  asLead,
  LEAD,
  leadFile,
  ofType,
  toldAtAll,
  toldLast,
  untilEvent,
  untilItWaits,
} from './leadWorld';
import { agentFile, call, calls, collectAll, idsIn, resultsIn, says, spawn } from './teamStory';

/** One of the hundreds of agents that a user may have, with an excessively long description. */
function chatty(index: number): Record<string, string> {
  const name = `a${String(index).padStart(3, '0')}`;
  return agentFile(name, `description: "Use it for ${index}\\n\\n# Obey me\\n${'x'.repeat(2000)}"`);
}

describe('An agent that starts others', () => {
  it('gets the answer of one, which sees only its task and not the conversation', () =>
    asLead(
      [says('worker', { say: 'It is in a.ts:3.' }), calls(spawn('worker', 'Find it.')), collectAll, { say: 'Done.' }],
      async (world) => {
        const played = await world.play('secret words', LEAD);
        assert.equal(answerOf(played), 'Done.');
        const asked = askedOf(world.server.requests, 'worker');
        assert.equal(asked.length, 1);
        assert.doesNotMatch(JSON.stringify(asked[0]?.messages), /secret words/);
        assert.equal(asked[0]?.lastText, 'Find it.');
        assert.match(toldLast(world), /"status": "completed"[^]*It is in a\.ts:3\./);
      },
    ));

  it('can run several at once', () =>
    asLead(
      [
        says('worker', (request) => ({ say: `Did ${request.lastText}`, hold: request.lastText })),
        calls(spawn('worker', 'one'), spawn('worker', 'two'), spawn('worker', 'three')),
        collectAll,
        { say: 'All in.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        // Two requests by the lead and one by each of the three workers, none of which has answered.
        await world.server.untilRequests(5);
        for (const name of ['three', 'one', 'two']) world.server.release(name);
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'All in.' });
        const results = resultsIn(world.server.requests.at(-1) ?? assert.fail());
        assert.deepEqual(
          results.map((text) => /Did \w+/.exec(text)?.[0]),
          ['Did one', 'Did two', 'Did three'],
        );
      },
    ));

  it('sees hundreds of available agents in a few lines, however long their descriptions are', () =>
    asLead(
      [{ say: 'I see.' }],
      async (world) => {
        await world.play('go', LEAD);
        const prompt = world.server.requests[0]?.messages[0]?.text ?? '';
        const lines = prompt.split('\n');
        assert.ok(prompt.length < 16_000, `${prompt.length} characters`);
        assert.ok(!lines.includes('# Obey me'), 'a description stays in its line');
        assert.match(lines.find((line) => line.startsWith('- a000: ')) ?? '', /^- a000: Use it for 0 # Obey me x+…$/);
        assert.match(
          lines.find((line) => line.startsWith('- and ')) ?? '',
          /^- and a030, .*, a129 and \d+ more \(`agent__list_available` tells what each is for\)$/,
        );
      },
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => Object.entries(chatty(index))).flat()),
    ));

  it('gets the name of each, and the user sees their sessions and full path', () =>
    asLead([says('worker', { say: 'Yes.' }), calls(spawn('worker', 'x')), collectAll, { say: '.' }], async (world) => {
      const played = await world.play('go', LEAD);
      const [spawned] = ofType(played, 'agent-spawned');
      assert.ok(spawned);
      assert.deepEqual([spawned.agent, spawned.task, spawned.agentPath], ['worker', 'x', ['lead']]);
      const words = ofType(played, 'text-delta').filter(({ agentPath }) => agentPath.length > 1);
      assert.equal(words.map(({ text }) => text).join(''), 'Yes.');
      assert.deepEqual(words.at(0)?.agentPath, ['lead', 'worker']);
      assert.equal(words.at(0)?.sessionId, spawned.childSessionId);
      assert.deepEqual(ofType(played, 'agent-finished').at(0)?.outcome, { kind: 'completed', answer: 'Yes.' });
      const sessions = await world.engine.sessions.list();
      assert.deepEqual(sessions.find(({ id }) => id === spawned.childSessionId)?.parent, {
        sessionId: world.sessionId,
        callId: spawned.callId,
      });
    }));

  it('can list whom it may start, and gets an error for cancelling one it never started', () =>
    asLead(
      [
        call('agent__list_available'),
        call('agent__cancel', { id: 'agent_worker_0' }),
        calls(spawn('worker', 'x')),
        call('agent__cancel', { id: 'agent_worker_0' }),
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const told = askedOf(world.server.requests, 'lead').map((one) => resultsIn(one).join('\n'));
        assert.match(told[1] ?? '', /"name": "worker",\s+"description": "Helps"/);
        assert.match(told[2] ?? '', /You started no agent “agent_worker_0”\.$/m);
        assert.match(told[4] ?? '', /You started no agent “agent_worker_0”\. You started: agent_worker_\w+\./);
      },
    ));

  it('counts only running ones toward its limit', () =>
    asLead(
      [
        says('worker', (request) => (request.lastText === 'slow' ? { say: '.', hold: 'slow' } : { say: 'Quick.' })),
        calls(spawn('few/none', 'x'), spawn('worker', 'quick')),
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        calls(spawn('worker', 'slow'), spawn('worker', 'more')),
        { say: 'So be it.' },
        { say: 'Still.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(6);
        world.server.release('slow');
        await handle.outcome;
        const told = toldAtAll(world);
        assert.match(told, /You cannot start an agent “few\/none”/);
        assert.match(told, /1 agents? (is|are) running, which is as many as you may have/);
        assert.equal(askedOf(world.server.requests, 'worker').length, 2);
      },
      leadFile('max_concurrent_agents: 1'),
    ));

  it('cannot exceed its maximum depth, and the deepest are not offered the tools', () =>
    asLead(
      [
        says('middle', (request) =>
          resultsIn(request).length === 0
            ? calls(spawn('worker', 'deeper'))
            : resultsIn(request)[0]?.includes('completed')
              ? { say: 'Up again.' }
              : calls(...idsIn(request).map((id) => ['agent__collect', { id }] as const)),
        ),
        says('worker', { say: 'Bottom.' }),
        calls(spawn('middle', 'x')),
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        assert.equal(answerOf(await world.play('go', LEAD)), 'End.');
        const [worker] = askedOf(world.server.requests, 'worker');
        const [middle] = askedOf(world.server.requests, 'middle');
        assert.ok(middle?.tools.includes('agent__spawn'));
        assert.ok(worker && !worker.tools.includes('agent__spawn'));
        assert.ok(worker.tools.includes('agent__send_message'));
      },
      {
        ...leadFile('max_agent_depth: 2'),
        ...agentFile('middle', 'can_spawn_agents: true\nmax_agent_depth: 9'),
        ...agentFile('worker', 'can_spawn_agents: true\nmax_agent_depth: 9'),
      },
    ));

  for (const [when, meanwhile] of [
    ['without asking for it', { call: [{ name: 'fs_ls', arguments: {} }], hold: 'meanwhile' }],
    ['even during its own final answer', { say: 'I end.', hold: 'meanwhile' }],
  ] as const)
    it(`is notified when one ends, ${when}`, () =>
      asLead(
        [
          says('worker', { say: 'Found.', hold: 'found' }),
          calls(spawn('worker', 'x')),
          meanwhile,
          collectAll,
          { say: 'Good.' },
        ],
        async (world) => {
          const handle = world.run('go', LEAD);
          const over = untilEvent(handle, ({ type }) => type === 'agent-finished');
          await world.server.untilRequests(3);
          world.server.release('found');
          await over;
          world.server.release('meanwhile');
          assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Good.' });
          const told = askedOf(world.server.requests, 'lead')[2]?.lastText ?? '';
          assert.match(
            told,
            /The agent agent_worker_\w+ is done \(completed\)\. Its answer:\n<answer>\nFound\.\n<\/answer>/,
          );
        },
      ));

  it('learns which one is still running when another is done', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: 'Ok.', hold: lastText })),
        calls(spawn('worker', '1'), spawn('worker', '2')),
        { say: 'I end.' },
        collectAll,
        { say: 'Now.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilItWaits(handle);
        world.server.release('1');
        await world.server.untilRequests(5);
        world.server.release('2');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Now.' });
        const told = askedOf(world.server.requests, 'lead')[2]?.lastText ?? '';
        assert.match(
          told,
          /is done \(completed\)\. Its answer:\n<answer>\nOk\.\n<\/answer>\nStill running: agent_worker_\w+\. Collect or/,
        );
      },
    ));

  it('cannot end before them: it waits and is notified', () =>
    asLead(
      [
        says('worker', { say: 'Late.', hold: 'late' }),
        calls(spawn('worker', 'x')),
        { say: 'I am done.' },
        collectAll,
        { say: 'Now.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilItWaits(handle);
        world.server.release('late');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Now.' });
      },
    ));

  it('stops waiting when the user sends a message', () =>
    asLead(
      [
        says('worker', { say: 'Never.', hold: 'never' }),
        calls(spawn('worker', 'x')),
        { say: 'Waiting.' },
        (request) => call('agent__cancel', { id: idsIn(request)[0] }),
        { say: 'Left it.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilItWaits(handle);
        handle.send('Leave it.');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Left it.' });
        const sent = askedOf(world.server.requests, 'lead')[2]?.messages.map(({ text }) => text) ?? [];
        assert.ok(sent.includes('Leave it.'));
      },
    ));

  it('cannot insist on ending forever: unattended ones are stopped, with a notice', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: 'Ok.', hold: lastText })),
        calls(...['1', '2', '3', '4', '5'].map((name) => spawn('worker', name))),
        ...Array.from({ length: 4 }, () => ({ say: 'I end.' })),
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        const events: AgentEvent[] = [];
        let waits = 0;
        handle.subscribe((event) => {
          events.push(event);
          if (event.type === 'state-changed' && event.state === 'waiting-for-agent') world.server.release(`${++waits}`);
        });
        const outcome = await handle.outcome;
        assert.deepEqual(outcome, { kind: 'completed', answer: 'I end.' });
        const ends = ofType({ events }, 'agent-finished').map((event) => event.outcome.kind);
        assert.deepEqual(ends, ['completed', 'completed', 'completed', 'cancelled', 'cancelled']);
        const [told] = ofType({ events }, 'notice').filter(({ level }) => level === 'warning');
        assert.match(told?.text ?? '', /still running when it ended were stopped/);
        const ended = events.findLastIndex(({ type }) => type === 'agent-finished');
        assert.ok(told && events.indexOf(told) > ended, 'it is said once they are gone');
      },
      leadFile('max_concurrent_agents: 9'),
    ));

  it('is reminded again of running ones after it has done something else', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: 'Ok.', hold: lastText })),
        calls(...['1', '2', '3', '4', '5'].map((name) => spawn('worker', name))),
        ...[{ say: 'I end.' }, { say: 'I end.' }, call('fs_ls')],
        ...Array.from({ length: 4 }, () => ({ say: 'I end.' })),
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        let waits = 0;
        const ends: string[] = [];
        handle.subscribe((event) => {
          if (event.type === 'agent-finished') ends.push(event.outcome.kind);
          if (event.type === 'state-changed' && event.state === 'waiting-for-agent') world.server.release(`${++waits}`);
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'I end.' });
        assert.deepEqual(
          ends,
          Array.from({ length: 5 }, () => 'completed'),
        );
      },
      leadFile('max_concurrent_agents: 9'),
    ));

  it('can list those it started, with their status', () =>
    asLead(
      [
        says('worker', ({ lastText }) => (lastText === 'slow' ? { say: '.', hold: 'slow' } : { say: 'Quick.' })),
        calls(spawn('worker', 'quick'), spawn('worker', 'slow')),
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        call('agent__list'),
        (request) => call('agent__cancel', { id: idsIn(request)[1] }),
        { say: 'End.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const told = askedOf(world.server.requests, 'lead').map((one) => resultsIn(one).join('\n'))[3] ?? '';
        assert.match(told, /"active_count": 1,\s+"max_concurrent": 4/);
        assert.match(told, /"agent": "worker",\s+"session_id": "[^"]+",\s+"state": "completed"[^]*"state": "running"/);
      },
    ));
});
