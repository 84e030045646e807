import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentEvent, type AgentHandle, EngineError, type PluginTool } from '../../../src/engine';
import { until } from '../../editor/until';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { asLead, LEAD } from '../agents/team/leadWorld';
import { call, calls, says, spawn } from '../agents/team/teamStory';

type Taken = Extract<AgentEvent, { type: 'checkpoint-taken' }>;

/** Collects the checkpoints of a run as they are taken. */
function follow(handle: AgentHandle): Taken[] {
  const taken: Taken[] = [];
  handle.subscribe((event) => {
    if (event.type === 'checkpoint-taken' && event.runId === handle.id) taken.push(event);
  });
  return taken;
}

const story = [call('acme_count'), { say: 'Counted.' }, { say: 'Once more.' }];
const count = (run: PluginTool['run']): PluginTool => ({
  ...{ name: 'acme_count', description: 'Counts', category: 'network', inputSchema: { type: 'object' } },
  run,
});
/** Returns the content of a request, without the results of its calls. */
const saidTo = ({ server }: EngineWorld, at: number) =>
  server.requests[at]?.messages.map(({ role, text, results }) => [role, role === 'tool' ? results.length : text]);
const roles = ({ messages }: { messages: readonly { role: string }[] }) => messages.map(({ role }) => role);

describe('A branch at a checkpoint', () => {
  it('contains the state of that step, whichever it was, and a run continues from there', async () => {
    for (const [at, step, held, then] of [
      [0, 'after-input', ['user'], 0],
      [1, 'before-model', ['user'], 0],
      [2, 'before-tools', ['user', 'assistant'], 1],
      [3, 'after-tools', ['user', 'assistant', 'tool'], 1],
      [4, 'before-model', ['user', 'assistant', 'tool'], 1],
    ] as const) {
      await withWorld({ story }, async (world) => {
        let counted = 0;
        world.engine.registerTool(count(() => Promise.resolve(`${++counted}`)));
        const handle = world.run('count');
        const taken = follow(handle);
        await handle.outcome;
        assert.equal(taken.length, 5);
        const place = taken[at] ?? assert.fail('no checkpoint');
        assert.equal(place.step, step);
        const branch = await world.engine.sessions.branch(world.sessionId, { at: place.id });
        assert.deepEqual([roles(branch), branch.interrupted], [held, true]);
        const { outcome } = await world.play(undefined, { sessionId: branch.id });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Once more.' });
        // The model receives what it received then; calls that had not yet been made are made.
        assert.deepEqual(saidTo(world, 2), saidTo(world, then));
        assert.equal(counted, step === 'before-tools' ? 2 : 1);
      });
    }
  });

  it('can be created during the run and its calls, and after a restart', () =>
    withWorld({ story }, async (world) => {
      let free: () => void = () => undefined;
      world.engine.registerTool(count(() => new Promise((resolve) => (free = () => resolve('7')))));
      const handle = world.run('count');
      const taken = follow(handle);
      for await (const event of handle.events()) if (event.type === 'tool-started') break;
      const { id } = taken.find(({ step }) => step === 'before-tools') ?? assert.fail('no checkpoint');
      const early = await world.engine.sessions.branch(world.sessionId, { at: id });
      assert.deepEqual(
        early.openCalls().map(({ started }) => started),
        [false],
      );
      free();
      await handle.outcome;
      const again = await world.restart();
      const late = await again.engine.sessions.branch(world.sessionId, { at: id });
      assert.deepEqual(late.messages, early.messages);
    }));

  it('asks about the calls that it repeats', () => {
    let questions = 0;
    const approve = () => {
      questions++;
      return { kind: 'once' } as const;
    };
    return withWorld({ story, approvalMode: 'everything', approve }, async (world) => {
      world.engine.registerTool(count(() => Promise.resolve('1')));
      const handle = world.run('count');
      const taken = follow(handle);
      await handle.outcome;
      const { id } = taken.find(({ step }) => step === 'before-tools') ?? assert.fail('no checkpoint');
      const branch = await world.engine.sessions.branch(world.sessionId, { at: id });
      await world.play(undefined, { sessionId: branch.id });
      assert.equal(questions, 2);
    });
  });

  it('is refused where there is no checkpoint, and where agents were running', async () => {
    await withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      await world.play('hi');
      for (const at of ['x', 'entry_x:before-model', '']) {
        const branching = world.engine.sessions.branch(world.sessionId, { at });
        await assert.rejects(
          branching,
          (error) => EngineError.is(error, 'not-found') && /no checkpoint/.test(error.message),
        );
      }
      assert.equal((await world.engine.sessions.list()).length, 1, 'and nothing is left of it');
    });
    await asLead(
      [says('worker', { fail: 'hang' }), calls(spawn('worker', 'Wait.')), { fail: 'hang' }],
      async (world) => {
        const handle = world.run('go', LEAD);
        const taken = follow(handle);
        await until('the second question', () => taken.filter(({ step }) => step === 'before-model').length === 2);
        const branching = world.engine.sessions.branch(world.sessionId, { at: taken.at(-1)?.id ?? '' });
        await assert.rejects(branching, /agents were running \(agent_worker_/);
        handle.cancel();
        await handle.outcome;
      },
    );
  });

  it('includes what another program added to the session in the meantime', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first');
      const other = await world.restart();
      const handle = other.run('second');
      const taken = follow(handle);
      await handle.outcome;
      const branch = await world.engine.sessions.branch(world.sessionId, { at: taken[0]?.id ?? '' });
      assert.deepEqual(roles(branch), ['user', 'assistant', 'user']);
    }));

  it('leaves no partial session behind when it fails', () =>
    withWorld(
      {
        files: { 'a.txt': 'x' },
        story: [
          call('fs_read', { path: 'a.txt' }),
          call('fs_write', { path: 'a.txt', contents: 'y' }),
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const handle = world.run('write');
        const taken = follow(handle);
        await handle.outcome;
        await rm(join(world.sessionsFolder, world.sessionId, 'checkpoints'), { recursive: true });
        await assert.rejects(world.engine.sessions.branch(world.sessionId, { at: taken.at(-1)?.id ?? '' }));
        assert.equal((await world.engine.sessions.list()).length, 1);
      },
    ));
});
