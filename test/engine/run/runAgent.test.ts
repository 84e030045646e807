import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Deferred } from '../../../src/base/async';
import { type AgentEvent, textOf } from '../../../src/engine';
import { type Played, withWorld } from '../../support/engineWorld';

const read = (path: string) => ({ name: 'fs_read', arguments: { path } });

describe('A run', () => {
  for (const provider of ['openai', 'anthropic']) {
    it(`reads a file and answers, over ${provider}`, () =>
      withWorld(
        {
          files: { 'a.txt': 'the secret word is heron' },
          story: [{ say: 'I look.', call: [read('a.txt')] }, (request) => ({ say: `It says: ${request.lastText}` })],
        },
        async (world) => {
          const played = await world.play('What is in a.txt?', { model: `${provider}:test-model` });
          assert.equal(played.outcome.kind, 'completed');
          assert.match(answerOf(played), /the secret word is heron/);
          assert.deepEqual(kinds(played), [
            'run-started',
            'message-taken',
            'session-renamed',
            'checkpoint-taken',
            'checkpoint-taken',
            'text-delta',
            'tool-announced',
            'usage-reported',
            'reply-finished',
            'checkpoint-taken',
            'tool-prepared',
            'tool-started',
            'tool-finished',
            'checkpoint-taken',
            'checkpoint-taken',
            'text-delta',
            'usage-reported',
            'reply-finished',
            'run-finished',
          ]);
        },
      ));
  }

  it('lists the available tools when the model calls an unknown one', () =>
    withWorld(
      { story: [{ call: [{ name: 'fly', arguments: {} }] }, (request) => ({ say: request.lastText })] },
      async (world) => assert.match(answerOf(await world.play('fly')), /no tool "fly".*fs_read/),
    ));

  it('names the matching built-in tool for a foreign tool name', () =>
    withWorld(
      { story: [{ call: [{ name: 'bash', arguments: {} }] }, (request) => ({ say: request.lastText })] },
      async (world) =>
        assert.equal(answerOf(await world.play('go')), 'Error: There is no tool "bash"; use execute_command.'),
    ));

  for (const slip of [
    '{"path": "a.txt",}',
    "{path: 'a.txt'}",
    '{"path": "a.txt"}}',
    '```json\n{"path": "a.txt"}\n```',
  ]) {
    it(`repairs slightly malformed arguments: ${slip}`, () =>
      withWorld(
        {
          files: { 'a.txt': 'kingfisher' },
          story: [{ call: [{ name: 'fs_read', arguments: slip }] }, (request) => ({ say: request.lastText })],
        },
        async (world) => {
          assert.match(answerOf(await world.play('read')), /kingfisher/);
          // The model sees the call as it was run.
          assert.match(JSON.stringify(world.server.requests[1]?.body), /path[\\": ]+a\.txt/);
        },
      ));
  }

  it('converts argument values of another type where unambiguous', () =>
    withWorld(
      {
        files: { 'a.txt': 'one\ntwo\nthree' },
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt', offset: '2', limit: null } }] },
          { call: [{ name: 'todo__init', arguments: { todos: '["first", "second"]' } }] },
          { call: [{ name: 'todo__done', arguments: { id: '2' } }] },
          { call: [{ name: 'todo__done', arguments: { id: 'third' } }] },
          { call: [{ name: 'fs_grep', arguments: { pattern: 42, path: 'a.txt' } }] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('read');
        const [, read, list, done, wrong, found] = world.server.requests.map(({ lastText }) => lastText);
        assert.match(read ?? '', /two\n.*three/);
        assert.doesNotMatch(read ?? '', /\bone\b/);
        assert.match(list ?? '', /first[^]*second/);
        assert.match(done ?? '', /1\. \[ \] first\n2\. \[x\] second/);
        assert.match(wrong ?? '', /no to-do “third”; name one by its number/);
        assert.doesNotMatch(found ?? '', /do not fit/);
      },
    ));

  it('tells the model what is wrong with unreadable arguments', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'fs_read', arguments: 'the file please' }] },
          { call: [{ name: 'fs_read', arguments: { offset: 3 } }] },
          { say: 'I give up.' },
        ],
      },
      async (world) => {
        await world.play('read');
        assert.match(world.server.requests[1]?.lastText ?? '', /not JSON.*the file please/s);
        assert.match(
          world.server.requests[2]?.lastText ?? '',
          /do not fit: it needs path\. It takes path, offset\?, limit\?/,
        );
      },
    ));

  it('runs read-only calls in parallel and keeps their results in the requested order', () =>
    withWorld(
      {
        files: { 'a.txt': 'first', 'b.txt': 'second' },
        story: [{ call: [read('a.txt'), read('b.txt')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { events } = await world.play('read both');
        const steps = events.filter((event) => event.type === 'tool-started' || event.type === 'tool-finished');
        assert.deepEqual(steps.map(({ type }) => type).slice(0, 2), ['tool-started', 'tool-started']);
        const results = world.server.requests[1]?.messages.flatMap((message) => message.results) ?? [];
        assert.match(results[0]?.text ?? '', /first/);
        assert.match(results[1]?.text ?? '', /second/);
      },
    ));

  it('ends at its turn limit and reports it', () =>
    withWorld(
      { files: { 'a.txt': 'x' }, story: [{ call: [read('a.txt')] }, { call: [read('a.txt')] }, { say: 'never' }] },
      async (world) => {
        const { outcome } = await world.play('loop', { limits: { turns: 2 } });
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'turns' });
        assert.equal(world.server.requests.length, 2);
      },
    ));

  it('includes a message that arrives while it runs in the next request', () =>
    withWorld(
      {
        files: { 'a.txt': 'x' },
        story: [
          { hold: 'reading', call: [read('a.txt')] },
          (request) => ({ say: request.messages.at(-1)?.text ?? '' }),
        ],
      },
      async (world) => {
        const handle = world.run('go');
        await world.server.untilRequests(1);
        assert.equal(handle.send('and hurry'), true);
        world.server.release('reading');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'and hurry' });
        assert.equal(handle.send('too late'), false);
      },
    ));

  it('refuses a second run in the same session and continues the first', () =>
    withWorld({ story: [{ say: 'Hello there.', hold: 'wait' }] }, async (world) => {
      const handle = world.run('hello');
      assert.throws(() => world.run('again'), /already has a run in progress/);
      await world.server.untilRequests(1);
      world.server.release('wait');
      assert.equal((await handle.outcome).kind, 'completed');
    }));

  it('runs several sessions at once', () =>
    withWorld(
      {
        story: [
          { when: ({ lastText }) => lastText.includes('one'), step: { say: 'First answer.', hold: 'both' } },
          { when: ({ lastText }) => lastText.includes('two'), step: { say: 'Second answer.', hold: 'both' } },
        ],
      },
      async (world) => {
        const { workspace, model, approvalMode } = (await world.engine.sessions.open(world.sessionId)).metadata;
        const other = await world.engine.sessions.create({ workspace, model, approvalMode, name: null });
        const runs = [world.run('one'), world.run('two', { sessionId: other.id })];
        await world.server.untilRequests(2);
        world.server.release('both');
        const answers = (await Promise.all(runs.map(({ outcome }) => outcome))).map(
          (one) => one.kind === 'completed' && one.answer,
        );
        assert.deepEqual(answers, ['First answer.', 'Second answer.']);
      },
    ));

  it('is not stopped by a throwing listener', () =>
    withWorld({ story: [{ say: 'Still here.' }] }, async (world) => {
      const handle = world.run('hello');
      handle.subscribe(() => {
        throw new Error('a broken view');
      });
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Still here.' });
      assert.match(world.warnings.join('\n'), /listener of a run threw/);
    }));

  it('provides all its events as a finite stream', () =>
    withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      const seen: AgentEvent[] = [];
      for await (const event of world.run('hi').events()) seen.push(event);
      assert.equal(seen.at(-1)?.type, 'run-finished');
      assert.deepEqual(
        seen.map(({ seq }) => seq),
        seen.map((_, index) => index + 1),
      );
    }));
});

describe('A cancelled run', () => {
  it('ends, keeps the text so far, and closes the connection', () =>
    withWorld(
      { story: [{ say: 'A long answer that will never be whole.', chunk: 6, hold: 'forever' }] },
      async (world) => {
        const handle = world.run('talk');
        const started = new Deferred<void>();
        handle.subscribe(({ type }) => type === 'text-delta' && started.resolve());
        await started.promise;
        handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        await world.server.requests[0]?.hungUp;
        const { messages } = await world.engine.sessions.open(world.sessionId);
        const last = messages.at(-1);
        assert.ok(last?.role === 'assistant' && last.finish === 'cut-off');
        assert.deepEqual(last.parts, [{ type: 'text', text: 'A long' }]);
      },
    ));

  it('stops a running command and says so in the conversation', () =>
    withWorld(
      { story: [{ call: [{ name: 'execute_command', arguments: { command: 'echo begun; sleep 600' } }] }] },
      async (world) => {
        const handle = world.run('wait');
        const begun = new Deferred<void>();
        handle.subscribe((event) => event.type === 'tool-progress' && begun.resolve());
        await begun.promise;
        handle.cancel();
        assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
        const last = (await world.engine.sessions.open(world.sessionId)).messages.at(-1);
        assert.ok(last?.role === 'tool');
        assert.equal(last.results[0]?.status, 'cancelled');
      },
    ));
});

describe('A run whose model fails', () => {
  it('keeps the partial answer of a broken stream and resumes from there', () =>
    withWorld(
      {
        story: [
          { say: 'Half of it', chunk: 4, fail: 'cut-after' },
          (request) => ({ say: `After: ${request.lastText}` }),
        ],
      },
      async (world) => {
        const { outcome } = await world.play('tell me');
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'cut-stream', JSON.stringify(outcome));
        const again = await world.play(undefined);
        assert.match(answerOf(again), /After: Continue where you were cut off/);
        assert.equal(
          world.server.requests.at(-1)?.messages.some(({ text }) => text.startsWith('Half')),
          true,
        );
      },
    ));

  it('names the invalid key and how to set it, without showing it', () =>
    withWorld({ key: 'sk-very-secret-1234', story: [] }, async (world) => {
      const { outcome } = await world.play('hello');
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'auth', JSON.stringify(outcome));
      assert.match(outcome.message, /OpenAI.*key.*Cairn: Set API Key/s);
      assert.doesNotMatch(outcome.message, /very-secret/);
    }));

  it('keeps the user’s message when the model does not exist', () =>
    withWorld({ story: [] }, async (world) => {
      const { outcome } = await world.play('precious words', { model: 'nobody:nothing' });
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'unknown-model');
      assert.match(outcome.message, /nobody.*Providers: openai, anthropic, .*demo/);
      const [message] = (await world.engine.sessions.open(world.sessionId)).messages;
      assert.ok(message?.role === 'user' && textOf(message) === 'precious words');
    }));
});

describe('To-dos and questions', () => {
  it('keep the list on disk and report its changes', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'todo__init', arguments: { todos: ['look', 'mend'] } }] },
          { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
          { say: 'One left.' },
        ],
      },
      async (world) => {
        const { events } = await world.play('plan');
        const lists = events.flatMap((event) =>
          event.type === 'todo-changed' ? [event.items.map((one) => one.done)] : [],
        );
        assert.deepEqual(lists, [
          [false, false],
          [true, false],
        ]);
        const again = await world.restart();
        const { todos } = await again.engine.sessions.open(world.sessionId);
        assert.deepEqual(
          todos.items.map(({ text, done }) => [text, done]),
          [
            ['look', true],
            ['mend', false],
          ],
        );
      },
    ));

  it('pass the user’s answer to the model', () =>
    withWorld(
      {
        answer: ({ options }) => ({ kind: 'answered', texts: [options[1] ?? ''] }),
        story: [
          { call: [{ name: 'user__ask', arguments: { question: 'Tabs or spaces?', options: ['tabs', 'spaces'] } }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => assert.match(answerOf(await world.play('ask me')), /spaces/),
    ));

  it('let the model continue when no user can be asked', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'user__ask', arguments: { question: 'Tabs or spaces?' } }] },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => assert.match(answerOf(await world.play('ask me')), /nobody|no one/i),
    ));
});

describe('Long output', () => {
  it('is shortened for the model, and saved in full to a file that the model may read', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'many.txt': 'pelican\n'.repeat(20_000) },
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'cat many.txt' } }] },
          (request) => ({ call: [read(/(\/\S+\.txt)/.exec(request.lastText)?.[1] ?? 'no path was told')] }),
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const played = await world.play('show it');
        assert.ok((world.server.requests[1]?.lastText.length ?? 0) < 40_000);
        assert.match(answerOf(played), /1\tpelican/);
        const asked = played.events.filter((event) => event.type === 'approval-requested');
        assert.equal(asked.length, 1, 'only the command asks; reading the kept output is like reading the workspace');
      },
    ));
});

describe('Paths outside the workspace', () => {
  it('ask even when nothing else does, and show why', () =>
    withWorld(
      {
        approve: ({ reason }) => ({ kind: 'reject', by: 'person', reason }),
        story: [{ call: [read(join('..', '..', 'etc', 'passwd'))] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const played = await world.play('peek');
        assert.match(answerOf(played), /outside the workspace/);
        assert.equal(played.outcome.kind, 'rejected');
      },
    ));
});

function answerOf({ outcome }: Played): string {
  assert.ok(outcome.kind === 'completed' || outcome.kind === 'rejected', JSON.stringify(outcome));
  return outcome.answer;
}

/** Returns the event types without consecutive repeats and without changes of the state or the to-dos. */
function kinds({ events }: Played): string[] {
  return events
    .map(({ type }) => type)
    .filter((type, index, all) => type !== 'state-changed' && type !== 'todo-changed' && type !== all[index - 1]);
}
