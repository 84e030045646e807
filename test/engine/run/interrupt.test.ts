import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { AbortError } from '../../../src/base/abort';
import { onDispose } from '../../../src/base/disposable';
import type { AgentEvent, AgentHandle, PluginTool } from '../../../src/engine';
import { CallStops, Interrupts } from '../../../src/engine/run/interrupts';
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

describe('A turn', () => {
  it('is not interrupted where its whole run is cancelled', () => {
    for (const isCancelled of [false, true]) {
      const run = new AbortController();
      const interrupts = new Interrupts();
      const turn = interrupts.begin(run.signal);
      interrupts.interrupt('wait');
      if (isCancelled) run.abort();
      assert.equal(turn.signal.aborted, true);
      assert.equal(turn.end() === undefined, isCancelled);
      assert.deepEqual(getEventListeners(run.signal, 'abort'), [], 'it no longer listens');
    }
  });
});

describe('A call', () => {
  const LIMIT_MS = 5000;
  /** A clock whose alarms ring at once if they are that long; `open` counts the others. */
  const clockRinging = (...rings: number[]) => {
    const open = { count: 0 };
    const alarm = (ms: number, ring: () => void) => {
      if (rings.includes(ms)) queueMicrotask(ring);
      open.count += 1;
      return onDispose(() => (open.count -= 1));
    };
    return { open, now: () => 0, sleep: () => Promise.resolve(), alarm };
  };
  const during = (run: AbortSignal, clock = clockRinging(), timeoutMs?: number) => {
    const stops = new CallStops();
    const place = { callId: 'a', signal: run, clock, ...(timeoutMs !== undefined && { timeoutMs }) };
    return { stops, work: (work: Parameters<CallStops['during']>[1]) => stops.during(place, work) };
  };
  const untilAborted = (signal: AbortSignal) => neverAnswered(signal).catch(() => undefined);

  it('that begins after the run was cancelled is aborted from the start', async () => {
    const { work } = during(AbortSignal.abort());
    assert.deepEqual(await work((own, whole) => Promise.resolve([own.aborted, whole.aborted])), [true, true]);
  });

  it('is aborted as a whole with its run, and otherwise only by itself', async () => {
    for (const isWhole of [false, true]) {
      const run = new AbortController();
      const { stops, work } = during(run.signal);
      const aborted = work(async (own, whole) => {
        await untilAborted(own);
        return [own.aborted, whole.aborted];
      });
      if (isWhole) run.abort();
      else assert.equal(stops.stop('a'), true);
      assert.deepEqual(await aborted, [true, isWhole]);
      assert.equal(stops.stop('a'), false, 'it is over');
      assert.deepEqual(getEventListeners(run.signal, 'abort'), []);
    }
  });

  for (const [what, end] of [
    ['returns something', () => Promise.resolve('half')],
    ['rejects', () => Promise.reject(new Error('Stopped.'))],
  ] as const)
    it(`that is out of time has failed, although it ${what} then`, async () => {
      const clock = clockRinging(LIMIT_MS);
      const { work } = during(new AbortController().signal, clock, LIMIT_MS);
      const done = work(async (own) => {
        await untilAborted(own);
        return end();
      });
      await assert.rejects(done, /did not end within 5 s and was stopped/);
      assert.equal(clock.open.count, 0, 'no alarm is left');
    });

  it('that does not end when it is stopped is let go', async () => {
    const { stops, work } = during(new AbortController().signal, clockRinging(10_000));
    const done = work(() => new Promise(() => undefined));
    stops.stop('a');
    await assert.rejects(done, AbortError);
  });
});
