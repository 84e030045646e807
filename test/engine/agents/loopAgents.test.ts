import assert from 'node:assert/strict';
import { type AgentEvent, EngineError, textOf } from '../../../src/engine';
import type { AssistantPart, Message } from '../../../src/engine/messages/message';
import type { AgentInternals, AgentLoop } from '../../../src/engine/run/loop/agentLoop';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { call, resultsIn } from './team/teamStory';

/** Runs `use` in a world with an agent `own` that runs this loop. */
function withLoop(loop: AgentLoop, options: WorldOptions, use: (world: EngineWorld) => Promise<void>): Promise<void> {
  return withWorld(options, (world) => {
    world.engine.registerAgent({ name: 'own', description: 'A program', loop });
    return use(world);
  });
}
const OWN = { agent: 'own' };
const saidBy = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));

/** What Cairn's own agents do, in a few lines. */
const usual: AgentLoop = async (run) => {
  for (;;) {
    const { calls, text } = await run.askModel();
    if (calls.length === 0) return text;
    await run.runCalls(calls);
  }
};

describe('An agent that is a program', () => {
  it('gets an error from every method after its run is over', () => {
    let kept: AgentInternals | undefined;
    const loop: AgentLoop = (run) => {
      kept = run;
      return Promise.resolve('Done.');
    };
    return withLoop(loop, {}, async (world) => {
      await world.play('go', OWN);
      const run = kept ?? assert.fail();
      const isOver = (error: unknown) =>
        EngineError.is(error, 'invalid-state') && error.message === 'The run of own has ended. Start another one.';
      await assert.rejects(run.receive(), isOver);
      await assert.rejects(run.askModel(), isOver);
      await assert.rejects(run.callTool('fs_ls', { path: '.' }), isOver);
      await assert.rejects(run.checkPermission('fs_ls', { path: '.' }), isOver);
      assert.throws(() => run.send({ type: 'text-delta', text: 'Late.' }), isOver);
      assert.throws(() => run.setState('idle'), isOver);
    });
  });

  it('receives, streams and answers without a model, and its session keeps all of it', () =>
    withLoop(
      async (run) => {
        const { text } = await run.receive();
        run.send({ type: 'text-delta', text: 'You said ' });
        run.send({ type: 'text-delta', text: `“${text}”.` });
        return undefined;
      },
      {},
      async (world) => {
        const { outcome, events } = await world.play('heron', OWN);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'You said “heron”.' });
        assert.deepEqual(saidBy(events), ['You said ', '“heron”.']);
        assert.equal(world.server.requests.length, 0);
        const session = await (await world.restart()).engine.sessions.open(world.sessionId);
        const kept = session.messages.map((one) => (one.role === 'tool' ? '' : textOf(one)));
        assert.deepEqual(kept, ['heron', 'You said “heron”.']);
      },
    ));

  it('may ask the model and run its calls like our agents, with the same rules', () =>
    withLoop(
      usual,
      {
        story: [
          call('fs_write', { path: 'a.txt', contents: 'heron' }),
          (request) => ({ say: resultsIn(request).join() }),
        ],
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'person', reason: 'not now' }),
      },
      async (world) => {
        const { outcome, events } = await world.play('write', OWN);
        assert.match(JSON.stringify(outcome), /not now/);
        assert.equal(events.filter(({ type }) => type === 'approval-requested').length, 1);
        await assert.rejects(world.read('a.txt'));
      },
    ));

  it('calls tools itself, and gets an error when that fails', () =>
    withLoop(
      async (run) => {
        const read = await run.callTool('fs_read', { path: 'a.txt' });
        const missing = await run.callTool('fly', {});
        return `${read.status}: ${read.text.trim()} / ${missing.status}`;
      },
      { files: { 'a.txt': 'heron' } },
      async (world) => {
        const { outcome, events } = await world.play('go', OWN);
        assert.match(JSON.stringify(outcome), /ok: 1\\theron \/ error/);
        assert.equal(events.filter(({ type }) => type === 'tool-finished').length, 2);
      },
    ));

  it('receives messages sent while it runs, and shows its state', () =>
    withLoop(
      async (run) => {
        const first = await run.receive();
        run.setState('thinking');
        const second = await run.receive();
        return `${first.text}, then ${second.text}`;
      },
      {},
      async (world) => {
        const handle = world.run('one', OWN);
        await stateOf(handle.events(), 'idle');
        assert.equal(handle.state, 'idle');
        handle.send('two');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'one, then two' });
      },
    ));

  it('knows its session, and announces a state only when it changes', () =>
    withLoop(
      (run) => {
        for (const state of ['thinking', 'thinking', 'running-tool', 'thinking'] as const) run.setState(state);
        return Promise.resolve(run.sessionId);
      },
      {},
      async (world) => {
        const { outcome, events } = await world.play('go', OWN);
        const states = events.flatMap((event) => (event.type === 'state-changed' ? [event.state] : []));
        assert.deepEqual(outcome, { kind: 'completed', answer: world.sessionId });
        assert.deepEqual(states, ['thinking', 'running-tool', 'thinking']);
      },
    ));

  for (const [method, given, what] of [
    ['send', { type: 'text-delta' }, /The arguments of send are not valid: .*text/],
    ['send', { type: 'shout', text: 'x' }, /The arguments of send are not valid: .*type/],
    ['setState', 'asleep', /The arguments of setState are not valid/],
    ['runCalls', [{ id: 'a' }], /The arguments of runCalls are not valid: .*name/],
  ] as const) {
    it(`gets an error for arguments of ${method} that no compiler checked: ${JSON.stringify(given)}`, () =>
      withLoop(
        async (run) => {
          const called: unknown = Reflect.get(run, method);
          assert.ok(typeof called === 'function');
          await Reflect.apply(called, run, [given]);
          return 'Nothing was wrong.';
        },
        {},
        async (world) => {
          const { outcome } = await world.play('go', OWN);
          assert.match(outcome.kind === 'failed' ? outcome.message : outcome.kind, what);
        },
      ));
  }

  it('receives one message at a time, and the session keeps the unread ones', () =>
    withLoop(
      async (run) => {
        const first = await run.receive();
        await run.ask({ question: 'Go on?', kind: 'confirm', options: [] });
        const second = await run.receive();
        return `${first.text}, then ${second.text}; more: ${String(run.hasInput)}`;
      },
      { answer: () => ({ kind: 'answered', texts: ['yes'] }) },
      async (world) => {
        const handle = world.run('one', OWN);
        const events: AgentEvent[] = [];
        handle.subscribe((event) => {
          events.push(event);
          if (event.type === 'question-asked') for (const text of ['two', 'three', 'four']) handle.send(text);
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'one, then two; more: true' });
        assert.equal(events.filter(({ type }) => type === 'message-taken').length, 4);
        const { messages } = await (await world.restart()).engine.sessions.open(world.sessionId);
        const said = messages.flatMap((one) => (one.role === 'user' ? [textOf(one)] : []));
        assert.deepEqual(said, ['one', 'two', 'three', 'four']);
      },
    ));

  it('may call several tools at once, which the model then sees one after another', () =>
    withLoop(
      async (run) => {
        const { calls } = await run.askModel();
        const read = ['a.txt', 'b.txt'].map((path) => run.callTool('fs_read', { path }));
        await Promise.all([run.runCalls(calls), ...read]);
        return (await run.askModel()).text;
      },
      { files: { 'a.txt': 'heron', 'b.txt': 'stork' }, story: [call('fs_ls'), { say: 'Two birds.' }] },
      async (world) => {
        const { outcome } = await world.play('go', OWN);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Two birds.' });
        const answered = world.server.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
        assert.equal(answered?.length, 3);
      },
    ));

  it('may ask the model and call a tool at once, which are added to the conversation in order', () => {
    const said = ({ messages }: ModelRequest) =>
      messages.flatMap(({ text, results }) => [text, ...results.map((one) => one.text)]);
    return withLoop(
      async (run) => {
        const [one, , two] = await Promise.all([
          run.askModel(),
          run.callTool('fs_read', { path: 'a.txt' }),
          run.askModel(),
        ]);
        return `${one.text} ${two.text}`;
      },
      {
        files: { 'a.txt': 'heron' },
        story: [
          { say: 'One.', hold: 'one' },
          (request) => ({
            say: /One\.[^]*heron/.test(said(request).join()) ? 'Two.' : 'What was said before is missing.',
          }),
        ],
      },
      async (world) => {
        const handle = world.run('go', OWN);
        await world.server.untilRequests(1);
        world.server.release('one');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'One. Two.' });
        const { messages } = await (await world.restart()).engine.sessions.open(world.sessionId);
        const roles = messages.map(({ role }) => role);
        assert.deepEqual(roles.slice(0, 5), ['user', 'assistant', 'assistant', 'tool', 'assistant']);
      },
    );
  });

  it('can continue a session in which calls and results were stored out of order', () =>
    withWorld(
      {
        story: [({ messages }) => ({ say: messages.flatMap(({ results }) => results.map(({ text }) => text)).join() })],
      },
      async (world) => {
        const session = await world.engine.sessions.open(world.sessionId);
        for (const id of ['a', 'b']) await session.add(calling(id));
        await session.add({
          role: 'user',
          id: 'more',
          time: 0,
          steering: true,
          parts: [{ type: 'text', text: 'And?' }],
        });
        for (const id of ['b', 'a', 'nobody']) await session.add(answering(id));
        const { outcome } = await (await world.restart()).play('go on');
        assert.deepEqual(outcome, { kind: 'completed', answer: 'result of a,result of b' });
      },
    ));

  it('ends at once when cancelled, whatever it waits for, and can do nothing afterward', async () => {
    let internals: AgentInternals | undefined;
    await withLoop(
      async (run) => {
        internals = run;
        run.send({ type: 'text-delta', text: 'I wait.' });
        await new Promise(() => undefined);
        return undefined;
      },
      {},
      async (world) => {
        const handle = world.run('go', OWN);
        for await (const event of handle.events()) if (event.type === 'text-delta') handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        await assert.rejects(async () => internals?.receive(), { name: 'AbortError' });
        const session = await world.engine.sessions.open(world.sessionId);
        assert.match(JSON.stringify(session.messages.at(-1)), /I wait/);
      },
    );
  });

  it('that throws fails with its message, and the next run is unaffected', () =>
    withLoop(
      async (run) => {
        if (run.history.length === 1) throw new Error('out of paper');
        return 'Fine.';
      },
      {},
      async (world) => {
        const { outcome } = await world.play('go', OWN);
        assert.ok(outcome.kind === 'failed');
        assert.match(outcome.message, /The agent “own” failed: out of paper/);
        assert.equal((await world.play('again', OWN)).outcome.kind, 'completed');
      },
    ));

  it('is bound by the limits of its run even when it catches the error', () =>
    withLoop(
      async (run) => {
        await run.askModel();
        await run.askModel().catch(() => undefined);
        return 'I go on.';
      },
      { story: [{ when: () => true, step: { say: '.' } }] },
      async (world) => {
        const { outcome } = await world.play('go', { ...OWN, limits: { turns: 1 } });
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'turns' });
      },
    ));

  it('can ask the user', () =>
    withLoop(
      async (run) => {
        const answer = await run.ask({ question: 'Which?', kind: 'choice', options: ['a', 'b'] });
        return answer.kind === 'answered' ? answer.texts.join() : 'nobody';
      },
      { answer: ({ options }) => ({ kind: 'answered', texts: [options[1] ?? ''] }) },
      async (world) => assert.match(JSON.stringify((await world.play('go', OWN)).outcome), /"b"/),
    ));

  it('can start other agents, including copies of itself', () =>
    withLoop(
      async (run) => {
        const { text } = await run.receive();
        if (text !== 'go') return `${text} is done`;
        const parts = ['one', 'two'].map((prompt) => run.team.spawn({ agent: 'own', prompt, callId: null }));
        const reports = await Promise.all((await Promise.all(parts)).map(({ id }) => run.team.wait(id, run.signal)));
        return reports.map(({ output }) => output).join(', ');
      },
      {},
      async (world) => {
        const { outcome, events } = await world.play('go', OWN);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'one is done, two is done' });
        const paths = new Set(events.map(({ agentPath }) => agentPath.join('/')));
        assert.deepEqual([...paths], ['own', 'own/own']);
      },
    ));

  it('can be started by an agent from a file', () =>
    withLoop(
      async (run) => `Looked at ${(await run.receive()).text}`,
      {
        files: { '.cairn/agents/boss.md': '---\nmode: primary\npermission:\n  task: allow\n---\nYou are boss.' },
        story: [
          call('task', { description: 'x', prompt: 'the sea', subagent_type: 'own' }),
          (request) => ({ say: resultsIn(request).join() }),
        ],
      },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'boss' });
        assert.match(JSON.stringify(outcome), /Looked at the sea/);
      },
    ));
});

function calling(id: string): Message {
  const call = { id, name: 'fs_ls', arguments: '{}' };
  const parts: AssistantPart[] = [{ type: 'tool-call', call }];
  return { role: 'assistant', id: `calls-${id}`, time: 0, agent: 'own', model: 'x:y', parts, finish: 'tool-calls' };
}

function answering(callId: string): Message {
  const text = `result of ${callId}`;
  const result = { callId, name: 'fs_ls', status: 'ok', text, detail: null, durationMs: 0 } as const;
  return { role: 'tool', id: `results-${callId}`, time: 0, results: [result] };
}

async function stateOf(events: AsyncIterable<AgentEvent>, state: string): Promise<void> {
  for await (const event of events) if (event.type === 'state-changed' && event.state === state) return;
}
