import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import type { AgentEvent, AgentHandle } from '../../../../src/engine';
import { askedOf, asLead, LEAD, leadFile, ofType, toldAtAll, toldLast, untilEvent, untilItWaits } from './leadWorld';
import { agentFile, call, calls, collectAll, idsIn, resultsIn, says, spawn } from './teamStory';

const toLead = (message: string) => call('agent__send_message', { id: 'parent', message });
const mailOf = (texts: readonly string[]) => texts.filter((text) => /There are new messages/.test(text)).length;

/** Resolves with the `time`-th event of that type from now on, of the lead or of the agents that it started. */
function nth(handle: AgentHandle, type: AgentEvent['type'], time: number, isLead: boolean): Promise<AgentEvent> {
  let times = 0;
  return untilEvent(
    handle,
    (event) => event.type === type && (event.agentPath.length === 1) === isLead && ++times === time,
  );
}

const nthOfLead = (handle: AgentHandle, type: AgentEvent['type'], time: number) => nth(handle, type, time, true);
const nthOfWorker = (handle: AgentHandle, type: AgentEvent['type'], time: number) => nth(handle, type, time, false);

describe('An agent with subagents', () => {
  it('receives the answer itself, once, when it has no tool to collect it', () =>
    asLead(
      [
        says('worker', { say: 'It is in a.ts:3.', hold: 'found' }),
        calls(spawn('worker', 'Find it.')),
        { say: 'I wait.' },
        { say: 'In a.ts.' },
        { say: 'Told twice.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilItWaits(handle);
        world.server.release('found');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'In a.ts.' });
        const told = askedOf(world.server.requests, 'lead')[2]?.lastText ?? '';
        assert.match(
          told,
          /^The agent agent_worker_\w+ is done \(completed\)\. Its answer:\n<answer>\nIt is in a\.ts:3\.\n<\/answer>$/,
        );
      },
      leadFile('permission:\n  agent__collect: deny'),
    ));

  it('receives each answer, one after another', () =>
    asLead(
      [
        says('worker', ({ lastText }) => ({ say: `Ok, ${lastText}.`, hold: lastText })),
        calls(spawn('worker', 'one'), spawn('worker', 'two')),
        { say: 'I end.', hold: 'last' },
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(4);
        const over = nthOfLead(handle, 'agent-finished', 2);
        for (const name of ['one', 'two']) world.server.release(name);
        await over;
        world.server.release('last');
        await handle.outcome;
        const told = askedOf(world.server.requests, 'lead')[2]?.lastText ?? '';
        const answers = [
          ...told.matchAll(
            /^The agent agent_worker_\w+ is done \(completed\)\. Its answer:\n<answer>\n(.+)\n<\/answer>$/gm,
          ),
        ];
        assert.deepEqual(answers.map(([, answer]) => answer).toSorted(), ['Ok, one.', 'Ok, two.']);
      },
    ));

  it('gets no reminder of running agents when none are running', () =>
    asLead(
      [
        says('worker', { say: 'Ok.', hold: 'ok' }),
        calls(spawn('worker', 'x')),
        { say: 'I wait.' },
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilItWaits(handle);
        world.server.release('ok');
        await handle.outcome;
        const told = askedOf(world.server.requests, 'lead')[2]?.lastText ?? '';
        assert.match(
          told,
          /^The agent agent_worker_\w+ is done \(completed\)\. Its answer:\n<answer>\nOk\.\n<\/answer>$/,
        );
      },
    ));

  it('gets no reminder of an agent whose answer it already has', () =>
    asLead(
      [
        says('worker', { say: 'Ok.', hold: 'ok' }),
        calls(spawn('worker', 'x')),
        { call: [{ name: 'fs_ls', arguments: {} }], hold: 'listing' },
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(3);
        const collecting = nthOfLead(handle, 'tool-started', 2);
        world.server.release('listing');
        await collecting;
        world.server.release('ok');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
        const all = world.server.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
        assert.doesNotMatch(all.join('\n'), /is done \(completed\)/);
      },
    ));

  it('is notified of every message, even after it has read others', () =>
    asLead(
      [
        says('worker', (request) => {
          const sent = request.messages.filter(({ role }) => role === 'tool').length;
          if (sent === 0) return toLead('One.');
          return sent === 1 ? { ...toLead('Two.'), hold: 'two' } : { say: 'Sent.', hold: 'sent' };
        }),
        calls(spawn('worker', 'x')),
        { say: 'I wait.', hold: 'one' },
        call('fs_ls'),
        call('agent__check_inbox'),
        { call: [{ name: 'fs_ls', arguments: {} }], hold: 'listing' },
        call('agent__check_inbox'),
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await nthOfWorker(handle, 'tool-finished', 1);
        const [looked, second] = [nthOfLead(handle, 'tool-finished', 2), nthOfWorker(handle, 'tool-finished', 1)];
        world.server.release('one');
        await looked;
        world.server.release('two');
        await second;
        world.server.release('listing');
        world.server.release('sent');
        await handle.outcome;
        const all = world.server.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
        assert.equal(mailOf(all), 2, all.join('\n'));
        assert.match(toldAtAll(world), /"content": "Two\."/);
      },
    ));

  it('is notified of a message that arrives while it is busy, after it has read others', () =>
    asLead(
      [
        says('worker', (request) => {
          const sent = request.messages.filter(({ role }) => role === 'tool').length;
          if (sent === 0) return toLead('One.');
          return sent === 1 ? { ...toLead('Two.'), hold: 'two' } : { say: 'Sent.', hold: 'sent' };
        }),
        calls(spawn('worker', 'x')),
        { ...call('fs_ls'), hold: 'one' },
        calls(['agent__check_inbox', {}], ['acme_wait', {}]),
        call('agent__check_inbox'),
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const second = new Deferred<AgentEvent>();
        world.engine.registerTool({
          ...{ name: 'acme_wait', description: 'Waits', category: 'execute', inputSchema: { type: 'object' } },
          async run() {
            world.server.release('two');
            await second.promise;
            return 'Waited.';
          },
        });
        const handle = world.run('go', LEAD);
        await nthOfWorker(handle, 'tool-finished', 1);
        const sent = nthOfWorker(handle, 'tool-finished', 1);
        world.server.release('one');
        second.resolve(await sent);
        world.server.release('sent');
        await handle.outcome;
        const all = world.server.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
        assert.equal(mailOf(all), 2, all.join('\n'));
        assert.match(toldAtAll(world), /"content": "Two\."/);
      },
    ));

  it('can be reached by them under its team name as well', () =>
    asLead(
      [
        says('worker', (request) =>
          resultsIn(request).length > 0
            ? { say: 'Sent.' }
            : call('agent__send_message', { id: 'root', message: 'Up.' }),
        ),
        calls(spawn('worker', 'x')),
        collectAll,
        call('agent__check_inbox'),
        { say: 'End.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldLast(world), /"content": "Up\."/);
      },
    ));

  it('is notified of a pending question while another agent is running', () =>
    asLead(
      [
        says('worker', { say: 'Done.', hold: 'done' }),
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
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await untilEvent(handle, ({ type }) => type === 'question-asked');
        await world.server.untilRequests(4);
        const answered = untilEvent(handle, ({ type }) => type === 'question-answered');
        world.server.release('asked');
        await answered;
        world.server.release('done');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
      },
      agentFile('asker'),
    ));

  it('can start others after its turn was interrupted', () =>
    asLead(
      [
        says('worker', ({ lastText }) => (lastText === 'first' ? { say: '.', hold: 'never' } : { say: 'Here.' })),
        calls(spawn('worker', 'first')),
        { say: 'x', hold: 'stopped' },
        calls(spawn('worker', 'second')),
        (request) => call('agent__collect', { id: idsIn(request)[1] }),
        { say: 'End.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        const events: AgentEvent[] = [];
        handle.subscribe((event) => events.push(event));
        await world.server.untilRequests(3);
        handle.interrupt({ message: 'Another one.' });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'End.' });
        assert.match(toldLast(world), /"status": "completed"[^]*Here\./);
        const ends = ofType({ events }, 'agent-finished').map(({ outcome }) => outcome.kind);
        assert.deepEqual(ends, ['cancelled', 'completed']);
      },
    ));
});
