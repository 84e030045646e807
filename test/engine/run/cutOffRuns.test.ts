import assert from 'node:assert/strict';
import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, AgentHandle } from '../../../src/engine';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { isSummingUp } from '../../support/isSummingUp';
import { neverAnswered } from '../../support/neverAnswered';
import { withoutItsLock } from '../../support/withoutItsLock';
import { asLead, LEAD, ofType, untilItWaits } from '../agents/team/leadWorld';
import { call, calls, says, spawn } from '../agents/team/teamStory';

const write = call('fs_write', { path: 'a.txt', contents: 'new' });
const isAsked = ({ type }: AgentEvent) => type === 'approval-requested';
const isIdle = (event: AgentEvent) => event.type === 'state-changed' && event.state === 'idle';

async function until(handle: AgentHandle, holds: (event: AgentEvent) => boolean): Promise<void> {
  for await (const event of handle.events()) if (holds(event)) return;
  assert.fail('The run ended first.');
}

/**
 * Kills a process while it waits for an approval that the user does not answer, and passes the restarted world and the killed one
 * to `use`. With the default `approve`, the user allows the call the next time.
 */
async function killedWhileAsked(
  options: WorldOptions,
  use: (again: EngineWorld, killed: EngineWorld) => Promise<void>,
): Promise<void> {
  let isAway = true;
  const approve: WorldOptions['approve'] = (_, signal) => (isAway ? neverAnswered(signal) : { kind: 'once' });
  await withWorld({ approvalMode: 'edits-and-commands', approve, ...options }, async (world) => {
    await until(world.run('write it'), isAsked);
    await withoutItsLock(world);
    isAway = options.approve !== undefined;
    await use(await world.restart(), world);
  });
}

describe('A run resumed after a kill', () => {
  it('asks again for a call that had not started, runs it and tells the model the result', () =>
    killedWhileAsked({ story: [write, { say: 'Written.' }] }, async (again) => {
      const { outcome, events } = await again.play(undefined);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Written.' });
      assert.equal(ofType({ events }, 'approval-requested').length, 1);
      assert.equal(await again.read('a.txt'), 'new');
      const told = again.server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text));
      assert.equal(told?.length, 1);
      assert.match(told[0] ?? '', /Created a\.txt/);
    }));

  it('receives the user’s message when interrupted while it asks again', () =>
    killedWhileAsked(
      { story: [write, { say: 'As you wish.' }], approve: (_, signal) => neverAnswered(signal) },
      async (again) => {
        const handle = again.run(undefined);
        await until(handle, isAsked);
        assert.equal(handle.interrupt({ message: 'leave it' }), true);
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'As you wish.' });
        assert.equal(again.server.requests.at(-1)?.lastText, 'leave it');
        assert.equal(again.server.requests.length, 2);
      },
    ));
});

describe('An interrupted run', () => {
  it('sends nothing to the model until the user sends a message', () =>
    withWorld(
      { story: [{ say: 'Half an answer', chunk: 4, hold: 'half' }, { say: 'Elsewhere.' }, { say: 'Whole.' }] },
      async (world) => {
        const handle = world.run('first');
        await until(handle, ({ type }) => type === 'text-delta');
        handle.interrupt();
        if (handle.state !== 'idle') await until(handle, isIdle);
        const fresh = { workspace: world.folder, model: 'openai:test-model', name: null };
        const { id } = await world.engine.sessions.create({ ...fresh, approvalMode: 'nothing' });
        const { outcome } = await world.play('another', { sessionId: id });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Elsewhere.' });
        handle.send('second');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Whole.' });
        assert.deepEqual(
          world.server.requests.map(({ lastText }) => lastText),
          ['first', 'another', 'second'],
        );
      },
    ));
});

describe('A rejected call', () => {
  it('determines the outcome, even if a started agent reports afterwards', () => {
    const story = [
      says('worker', { say: 'Counted.', hold: 'worker' }),
      calls(spawn('worker', 'Count.')),
      write,
      { say: 'You said no.' },
      { say: 'And it was counted.' },
    ];
    const approve: WorldOptions['approve'] = ({ title }) =>
      title.includes('a.txt') ? { kind: 'reject', by: 'person' } : { kind: 'once' };
    return asLead(
      story,
      async (world) => {
        const handle = world.run('go', LEAD);
        const waits = untilItWaits(handle);
        await waits;
        world.server.release('worker');
        assert.deepEqual(await handle.outcome, { kind: 'rejected', answer: 'And it was counted.' });
      },
      {},
      { approvalMode: 'edits-and-commands', approve },
    );
  });
});

describe('Edits of one answer, one of which does not fit a protected file', () => {
  const edit = (path: string, old: string) => ['fs_edit', { path, old_string: old, new_string: 'PASSWORD=x' }] as const;
  const files = { 'a.txt': 'PASSWORD=heron\n', '.env': 'PASSWORD=swordfish\n' };
  const both = calls(edit('a.txt', 'PASSWORD=heron'), edit('.env', 'PASSWORD=swordfisch'));
  for (const [answer, allows, told] of [
    ['accepts', true, /swordfish/],
    ['rejects', false, /rejected|refused|declined/i],
  ] as const) {
    it(`ask separately, and the model gets the matching result when the user ${answer} the second`, () => {
      const approve: WorldOptions['approve'] = ({ title }) =>
        allows || !title.includes('.env') ? { kind: 'once' } : { kind: 'reject', by: 'person' };
      const story = [both, { say: 'Done.' }];
      return withWorld({ files, story, approve, approvalMode: 'edits-and-commands' }, async (world) => {
        const { events } = await world.play('go');
        const [first, second] = ofType({ events }, 'tool-finished').map(({ result }) => result);
        assert.deepEqual([first?.status, second?.status], ['ok', allows ? 'error' : 'rejected']);
        assert.match(second?.text ?? '', told);
        assert.equal(await world.read('.env'), files['.env']);
      });
    });
  }
});

describe('Usage reported by the vendor', () => {
  it('corrects the estimate for the next request, so that the conversation is compacted in time', () => {
    const agent = '---\ndescription: x\ncompression_threshold: 30000\n---\nYou are brief.';
    const files = { '.cairn/agents/brief.md': agent };
    const sums = { when: isSummingUp, step: { say: 'NOTES: it is blue.' } };
    /** About 16,000 tokens by Cairn's estimate. */
    const long = 'word '.repeat(11_500);
    const story = (input: number) => [sums, { say: long, usage: { input, output: 16_000 } }, { say: 'Two.' }];
    const summaries = async (input: number) => {
      let count = 0;
      await withWorld({ files, story: story(input) }, async (world) => {
        await world.play('First.', { agent: 'brief' });
        assert.equal((await world.play('And then?', { agent: 'brief' })).outcome.kind, 'completed');
        count = world.server.requests.filter(isSummingUp).length;
      });
      return count;
    };
    return Promise.all([summaries(4_000), summaries(100_000)]).then((counts) => assert.deepEqual(counts, [0, 1]));
  });
});

describe('A full disk', () => {
  const fill = ({ sessionsFolder, sessionId }: EngineWorld) => {
    const history = join(sessionsFolder, sessionId, 'history.jsonl');
    renameSync(history, `${history}.kept`);
    symlinkSync('/dev/full', history);
  };

  it('ends a run when a started agent has something to report', function () {
    if (!existsSync('/dev/full')) this.skip();
    const story = [
      says('worker', { say: 'Counted.', hold: 'worker' }),
      calls(spawn('worker', 'Count.')),
      { say: 'Waiting.' },
    ];
    return asLead(story, async (world) => {
      const handle = world.run('go', LEAD);
      await untilItWaits(handle);
      fill(world);
      world.server.release('worker');
      const outcome = await handle.outcome;
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'session', JSON.stringify(outcome));
      assert.match(outcome.message, /the disk is full/);
    });
  });
});
