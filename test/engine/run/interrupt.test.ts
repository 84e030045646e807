import assert from 'node:assert/strict';
import type { AgentEvent, AgentHandle, PluginTool } from '../../../src/engine';
import { neverAnswered } from '../../support/neverAnswered';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { withoutItsLock } from '../../support/withoutItsLock';
import { asLead, LEAD } from '../agents/team/leadWorld';
import { call, calls, says, spawn } from '../agents/team/teamStory';

/** Resolves with the next event of the run that `holds` accepts. */
async function event(handle: AgentHandle, holds: (one: AgentEvent) => boolean): Promise<AgentEvent> {
  for await (const one of handle.events()) if (holds(one)) return one;
  return assert.fail('The run ended first.');
}

const idle = (handle: AgentHandle) => event(handle, (one) => one.type === 'state-changed' && one.state === 'idle');
const started = (handle: AgentHandle) => event(handle, ({ type }) => type === 'tool-started');
const lastAsked = ({ server }: EngineWorld) =>
  server.requests
    .at(-1)
    ?.messages.filter(({ role }) => role !== 'system')
    .map(({ role, text, results }) => [role, role === 'tool' ? results.map((one) => one.text).join() : text]);

/** Runs until it is aborted. */
const slow: PluginTool = {
  ...{ name: 'acme_slow', description: 'Works', category: 'network', inputSchema: { type: 'object' } },
  run: (_, { signal }) => neverAnswered(signal),
};

describe('Interrupting a turn', () => {
  it('is refused when the run is about to end', () => {
    const quiet = '---\ndescription: Be quiet\nauto_unload: true\n---\nSay little.';
    const load = { call: [{ name: 'skill__load', arguments: { name: 'quiet' } }] };
    const files = { '.cairn/skills/quiet/SKILL.md': quiet };
    return withWorld({ files, story: [load, { say: 'Hm.' }] }, async (world) => {
      const handle = world.run('first');
      const answers: boolean[] = [];
      handle.subscribe(({ type }) => {
        if (type === 'skill-unloaded') answers.push(handle.interrupt(), handle.send('too late'));
      });
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Hm.' });
      assert.deepEqual(answers, [false, false], 'nor is anything taken that nobody would answer');
    });
  });

  it('keeps the start of the answer, and the run continues with the next message', () =>
    withWorld({ story: [{ say: 'Half an answer', chunk: 4, hold: 'half' }, { say: 'Whole.' }] }, async (world) => {
      const handle = world.run('first');
      await event(handle, ({ type }) => type === 'text-delta');
      const waits = idle(handle);
      assert.equal(handle.interrupt(), true);
      await waits;
      assert.equal(handle.state, 'idle');
      assert.equal(handle.interrupt({ reason: 'again' }), true, 'which changes nothing');
      assert.equal(handle.send('second'), true);
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Whole.' });
      assert.deepEqual(lastAsked(world), [
        ['user', 'first'],
        ['assistant', 'Half'],
        ['user', 'second'],
      ]);
      assert.equal(handle.interrupt({ message: 'too late' }), false);
    }));

  it('tells the model which calls were stopped and why, and continues at once with the given message', () =>
    withWorld({ story: [calls(['acme_slow', {}], ['acme_slow', {}]), { say: 'Fine.' }] }, async (world) => {
      world.engine.registerTool(slow);
      const notices: string[] = [];
      const ended: string[] = [];
      world.engine.onEvent((one) => {
        if (one.type === 'notice') notices.push(one.text);
        if (one.type === 'tool-finished') ended.push(one.result.callId);
      });
      const handle = world.run('work');
      await started(handle);
      assert.equal(handle.interrupt({ reason: 'wrong branch', message: 'take main' }), true);
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Fine.' });
      const [, , ...others] = lastAsked(world) ?? [];
      const told = others.map(([role, text]) => [role, text?.replace(/^Error: /, '')]);
      assert.deepEqual(told.at(-1), ['user', 'take main']);
      const results = told.flatMap(([role, text]) => (role === 'tool' ? [text] : [])).join();
      assert.match(results, /Interrupted by the user while it ran: wrong branch/);
      assert.match(results, /Interrupted by the user before it began: wrong branch/);
      assert.deepEqual(notices, ['Interrupted by the user: wrong branch']);
      assert.equal(new Set(ended).size, 2, 'both are told to have ended');
    }));

  it('before it starts tells the model about a call that an earlier run had started', () =>
    withWorld({ story: [call('acme_slow'), { say: 'I look first.' }] }, async (world) => {
      world.engine.registerTool(slow);
      await started(world.run('work'));
      await withoutItsLock(world);
      const again = await world.restart();
      const handle = again.run(undefined);
      const ended: string[] = [];
      handle.subscribe((one) => one.type === 'tool-finished' && ended.push(one.result.text));
      handle.interrupt({ message: 'is it done?' });
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'I look first.' });
      const told = 'Interrupted while it ran; it may have had an effect. Look before doing it again.';
      assert.deepEqual(ended, [told]);
      assert.deepEqual((lastAsked(world) ?? []).slice(2), [
        ['tool', told],
        ['user', 'is it done?'],
      ]);
    }));

  it('continues at once with messages sent before but not yet delivered', () =>
    withWorld({ story: [call('acme_slow'), { say: 'Heard.' }] }, async (world) => {
      world.engine.registerTool(slow);
      const handle = world.run('work');
      await started(handle);
      handle.send('look here');
      handle.interrupt();
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Heard.' });
    }));

  it('works while the user is being asked, and before the turn starts', () => {
    const approve = (_: unknown, signal: AbortSignal) => neverAnswered(signal);
    return withWorld(
      { story: [call('acme_slow'), { say: 'Done.' }], approvalMode: 'everything', approve },
      async (world) => {
        world.engine.registerTool(slow);
        const handle = world.run('work');
        handle.interrupt({ message: 'begin' });
        await event(handle, ({ type }) => type === 'approval-requested');
        handle.interrupt({ message: 'leave it' });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
        assert.equal(world.server.requests.length, 2);
      },
    );
  });

  it('ends as cancelled when the run is cancelled while it waits', () =>
    withWorld({ story: [call('acme_slow')] }, async (world) => {
      world.engine.registerTool(slow);
      const handle = world.run('work');
      await started(handle);
      const waits = idle(handle);
      handle.interrupt();
      await waits;
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.equal((await world.engine.sessions.open(world.sessionId)).interrupted, false);
    }));

  it('also stops the agents it started', () =>
    asLead([says('worker', call('acme_slow')), calls(spawn('worker', 'Work.')), call('acme_slow')], async (world) => {
      world.engine.registerTool(slow);
      const handle = world.run('go', LEAD);
      const told: string[] = [];
      handle.subscribe(({ type, agentPath }) => told.push(`${agentPath.join('/')} ${type}`));
      await event(handle, (one) => one.type === 'tool-started' && one.agentPath.length === 2);
      const [child] = handle.children;
      const waits = idle(handle);
      handle.interrupt();
      await waits;
      assert.deepEqual(await child?.outcome, { kind: 'cancelled' });
      const ends = told.filter((one) => one === 'lead/worker run-finished' || one === 'lead notice');
      assert.deepEqual(ends, ['lead/worker run-finished', 'lead notice'], 'it is said once they are gone');
      handle.cancel();
      await handle.outcome;
    }));

  it('is not possible for a program agent', () =>
    withWorld({}, async (world) => {
      const loop = () => Promise.resolve(String(world.engine.runOf(world.sessionId)?.interrupt({ message: 'no' })));
      world.engine.registerAgent({ name: 'acme', description: 'Tries', loop });
      const { outcome } = await world.play('go', { agent: 'acme' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'false' });
    }));
});
