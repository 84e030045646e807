import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import type { AgentEvent } from '../../../../src/engine';
import { processTable } from '../../../../src/node/processes/endWithUs';
import { withWorld } from '../../../support/engineWorld';
import { processIn } from '../../../support/processIn';
import { askedOf, LEAD, untilEvent } from './leadWorld';
import { agentFile, call, calls, collectAll, idsIn, LEAD_AND_WORKER, says, spawn } from './teamStory';

const FILES = { ...LEAD_AND_WORKER, ...agentFile('middle', 'can_spawn_agents: true') };
/** A worker two levels down runs a command that would take an hour. */
const tree = [
  says('worker', call('execute_command', { command: 'sleep 3600 & echo $! > pid.txt; wait' })),
  says('middle', (request) =>
    idsIn(request).length > 0 ? call('agent__collect', { id: idsIn(request)[0] }) : calls(spawn('worker', 'x')),
  ),
];

const isGone = async (pid: number) => !(await processTable()).some((row) => row.pid === pid);

const finished = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === 'run-finished' ? [`${event.agentPath.join('/')}: ${event.outcome.kind}`] : [],
  );

describe('A team', () => {
  it('ends with the processes of its deepest agent when its lead is stopped (D-24)', () =>
    withWorld({ files: FILES, story: [...tree, calls(spawn('middle', 'x')), collectAll] }, async (world) => {
      const handle = world.run('go', LEAD);
      const events: AgentEvent[] = [];
      handle.subscribe((event) => events.push(event));
      const pid = await processIn(() => world.read('pid.txt'));
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.ok(await isGone(pid));
      assert.deepEqual(finished(events), [
        'lead/middle/worker: cancelled',
        'lead/middle: cancelled',
        'lead: cancelled',
      ]);
    }));

  it('loses a cancelled agent with all its subagents, and the lead continues', () =>
    withWorld(
      {
        files: FILES,
        story: [
          ...tree,
          calls(spawn('middle', 'x')),
          (request) => ({ ...call('agent__cancel', { id: idsIn(request)[0] }), hold: 'cancel' }),
          { say: 'Gone.' },
        ],
      },
      async (world) => {
        const handle = world.run('go', LEAD);
        const pid = await processIn(() => world.read('pid.txt'));
        world.server.release('cancel');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Gone.' });
        assert.ok(await isGone(pid));
        assert.match(world.server.requests.at(-1)?.lastText ?? '', /"state": "cancelled"/);
      },
    ));

  it('loses one agent when the user stops only that one', () =>
    withWorld(
      {
        files: FILES,
        story: [
          says('worker', { say: 'x', hold: 'never' }),
          calls(spawn('worker', 'x')),
          collectAll,
          { say: 'Then not.' },
        ],
      },
      async (world) => {
        const handle = world.run('go', LEAD);
        const { sessionId } = await untilEvent(
          handle,
          ({ type, agentPath }) => type === 'text-delta' && agentPath.length > 1,
        );
        const [child] = handle.children;
        assert.equal(child, world.engine.runOf(sessionId));
        assert.ok(child);
        assert.equal(child.parent, handle);
        assert.equal(handle.parent, null);
        child.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Then not.' });
        assert.equal(askedOf(world.server.requests, 'worker').length, 1);
      },
    ));

  it('is stopped at once with its lead, even while the lead finishes an edit', () =>
    withWorld(
      {
        files: LEAD_AND_WORKER,
        story: [says('worker', { say: 'x', hold: 'never' }), calls(spawn('worker', 'x')), call('acme_write')],
      },
      async (world) => {
        const begun = new Deferred<void>();
        world.engine.registerTool({
          ...{ name: 'acme_write', description: 'Writes', category: 'write', inputSchema: { type: 'object' } },
          touches: () => Promise.resolve([`${world.folder}/a.txt`]),
          run: async () => {
            begun.resolve();
            await Promise.all(handle.children.map(({ outcome }) => outcome));
            return 'Written once they were gone.';
          },
        });
        const handle = world.run('go', LEAD);
        const events: AgentEvent[] = [];
        handle.subscribe((event) => events.push(event));
        await begun.promise;
        await world.server.untilRequests(3);
        handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        const isEnd = ({ type }: AgentEvent) => type === 'run-finished' || type === 'tool-finished';
        const ends = events.filter(isEnd).map(({ type, agentPath }) => `${agentPath.join('/')} ${type}`);
        assert.deepEqual(ends.slice(1), ['lead/worker run-finished', 'lead tool-finished', 'lead run-finished']);
      },
    ));
});
