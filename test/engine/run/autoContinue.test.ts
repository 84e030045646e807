import assert from 'node:assert/strict';
import { textOf } from '../../../src/engine/messages/message';
import type { Story } from '../../support/modelServer/story';
import { type Played, withWorld } from '../../support/engineWorld';

const FILES = {
  '.cairn/agents/busy.md': '---\nauto_continue: true\nmax_auto_continues: 3\n---\nYou work.',
  '.cairn/agents/plain.md': '---\ndescription: Plain\n---\nYou work.',
  '.cairn/agents/own.md': '---\nauto_continue: true\ncontinuation_prompt: Next, please.\n---\nYou work.',
};
const plan = (...todos: string[]) => ({ call: [{ name: 'todo__init', arguments: { todos } }] });
const done = (id: number) => ({ call: [{ name: 'todo__done', arguments: { id } }] });
const look = { call: [{ name: 'todo__list', arguments: {} }] };

const counts = ({ events }: Played) =>
  events.flatMap((event) => (event.type === 'auto-continued' ? [[event.count, event.max, event.open]] : []));
const notices = ({ events }: Played) => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const inBusy = (story: Story, use: Parameters<typeof withWorld>[1]) => withWorld({ files: FILES, story }, use);

describe('A run with open to-dos', () => {
  it('continues by itself until they are done, with the current list', () =>
    inBusy(
      [plan('one', 'two'), { say: 'Planned.' }, done(1), { say: 'One done.' }, done(2), { say: 'All done.' }],
      async (world) => {
        const played = await world.play('work', { agent: 'busy' });
        assert.deepEqual(played.outcome, { kind: 'completed', answer: 'All done.' });
        assert.deepEqual(counts(played), [
          [1, 3, 2],
          [2, 3, 1],
        ]);
        assert.match(world.server.requests[2]?.lastText ?? '', /To-dos are open[^]*1\. \[ \] one\n2\. \[ \] two/);
        assert.match(world.server.requests[4]?.lastText ?? '', /1\. \[x\] one\n2\. \[ \] two/);
        assert.equal(played.events.filter(({ type }) => type === 'message-taken').length, 1, 'the user said one thing');
        const { messages } = await world.engine.sessions.open(world.sessionId);
        const said = messages.flatMap((one) => (one.role === 'user' && !one.automatic ? [textOf(one)] : []));
        assert.deepEqual(said, ['work'], 'also after a restart');
      },
    ));

  it('stops at the limit per user message, and starts over with the next message', () =>
    inBusy(
      [
        plan('one'),
        ...Array.from({ length: 3 }, () => [{ say: 'Hm.' }, look]).flat(),
        { say: 'Enough.' },
        look,
        { say: 'A.' },
        done(1),
        { say: 'B.' },
      ],
      async (world) => {
        const first = await world.play('work', { agent: 'busy' });
        assert.deepEqual(counts(first).at(-1), [3, 3, 1]);
        assert.deepEqual(notices(first), ['Stopped after continuing automatically 3 times: 1 to-do is left.']);
        assert.deepEqual(counts(await world.play('go on', { agent: 'busy' })), [[1, 3, 1]]);
      },
    ));

  it('starts over with what the user sends while it continues', () =>
    inBusy(
      [
        plan('one'),
        ...[{ say: 'A.' }, look, { say: 'B.' }, look],
        ...[{ say: 'C.', hold: 'third' }, look, { say: 'D.' }, look],
        ...[{ say: 'E.' }, done(1), { say: 'F.' }],
      ],
      async (world) => {
        const handle = world.run('work', { agent: 'busy' });
        const told: number[] = [];
        handle.subscribe((event) => {
          if (event.type === 'auto-continued') told.push(event.count);
        });
        await world.server.untilRequests(6);
        handle.send('And quickly.');
        world.server.release('third');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'F.' });
        assert.deepEqual(told, [1, 2, 1, 2]);
      },
    ));

  it('stops when nothing progresses: the same list and no call since (D-28)', () =>
    inBusy([plan('one'), { say: 'Soon.' }, { say: 'Very soon.' }], async (world) => {
      const played = await world.play('work', { agent: 'busy' });
      assert.deepEqual(played.outcome, { kind: 'completed', answer: 'Very soon.' });
      assert.deepEqual(counts(played), [[1, 3, 1]]);
      assert.deepEqual(notices(played), [
        'Stopped because nothing has progressed since the last answer: 1 to-do is left.',
      ]);
    }));

  it('starts counting again after the list is cleared', () =>
    inBusy(
      [
        plan('one'),
        { say: '.' },
        { call: [{ name: 'todo__clear', arguments: {} }] },
        plan('other'),
        { say: '.' },
        done(1),
        { say: 'End.' },
      ],
      async (world) =>
        assert.deepEqual(counts(await world.play('work', { agent: 'busy' })), [
          [1, 3, 1],
          [1, 3, 1],
        ]),
    ));

  it('does not continue after the user rejects a call', () =>
    withWorld(
      {
        files: FILES,
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'person' }),
        story: [
          plan('one'),
          { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'a' } }] },
          { say: 'You said no.' },
        ],
      },
      async (world) => {
        const played = await world.play('work', { agent: 'busy' });
        assert.deepEqual(played.outcome, { kind: 'rejected', answer: 'You said no.' });
        assert.deepEqual(counts(played), []);
      },
    ));

  it('does not ask the model again after the model refuses', () =>
    inBusy([plan('one'), { refuse: 'I will not.' }], async (world) => {
      const played = await world.play('work', { agent: 'busy' });
      assert.deepEqual(played.outcome, { kind: 'completed', answer: 'I will not.' });
      assert.deepEqual([counts(played), world.server.requests.length], [[], 2]);
    }));

  it('continues after a rejection that is followed by another call', () =>
    withWorld(
      {
        files: FILES,
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'person' }),
        story: [
          plan('one'),
          { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'a' } }] },
          done(1),
          plan('two'),
          { say: 'Another way.' },
          done(1),
          { say: 'End.' },
        ],
      },
      async (world) => {
        const played = await world.play('work', { agent: 'busy' });
        assert.deepEqual(played.outcome, { kind: 'completed', answer: 'End.' });
        assert.equal(counts(played).length, 1);
      },
    ));

  it('ends when cancelled', () =>
    inBusy([plan('one'), { say: 'Soon.' }, { fail: 'hang' }], async (world) => {
      const handle = world.run('work', { agent: 'busy' });
      handle.subscribe((event) => {
        if (event.type === 'auto-continued') handle.cancel();
      });
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
    }));

  it('ends with its answer where the agent does not enable it', () =>
    inBusy([plan('one'), { say: 'Planned.' }], async (world) => {
      const played = await world.play('work', { agent: 'plain' });
      assert.deepEqual([played.outcome.kind, counts(played)], ['completed', []]);
    }));

  it('continues with every agent when the user’s setting says so', () =>
    withWorld(
      {
        files: FILES,
        settings: { autoContinue: true },
        story: [plan('one'), { say: 'Planned.' }, done(1), { say: 'Done.' }],
      },
      async (world) => assert.deepEqual(counts(await world.play('work', { agent: 'plain' })), [[1, 10, 1]]),
    ));

  it('uses the user’s limit where neither agent nor role sets one', () =>
    withWorld(
      {
        files: { ...FILES, '.cairn/roles/brief.md': '---\nmax_auto_continues: 1\n---\nBe brief.' },
        settings: { autoContinue: true, autoContinueLimit: 2 },
        story: [
          plan('one'),
          { say: 'Soon.' },
          done(7),
          { say: 'Yet.' },
          done(8),
          { say: 'Ever.' },
          done(9),
          { say: 'So.' },
          done(9),
          { say: 'Well.' },
        ],
      },
      async (world) => {
        assert.deepEqual(counts(await world.play('work', { agent: 'plain' })), [
          [1, 2, 1],
          [2, 2, 1],
        ]);
        const more = await world.play('more', { agent: 'plain', role: 'brief' });
        assert.deepEqual(counts(more), [[1, 1, 1]]);
        assert.deepEqual(notices(more), ['Stopped after continuing automatically once: 1 to-do is left.']);
      },
    ));

  it('ends with its answer and no notice where a role sets the limit to zero', () =>
    withWorld(
      {
        files: { ...FILES, '.cairn/roles/brief.md': '---\nmax_auto_continues: 0\n---\nBe brief.' },
        settings: { autoContinue: true },
        story: [plan('one'), { say: 'Planned.' }],
      },
      async (world) => {
        const played = await world.play('work', { agent: 'plain', role: 'brief' });
        assert.deepEqual(played.outcome, { kind: 'completed', answer: 'Planned.' });
        assert.deepEqual([counts(played), notices(played)], [[], []]);
      },
    ));

  it('continues after a user message even if nothing progressed before it', () =>
    inBusy(
      [plan('one'), { say: 'A.' }, { say: 'B.', hold: 'second' }, { say: 'C.' }, done(1), { say: 'D.' }],
      async (world) => {
        const handle = world.run('work', { agent: 'busy' });
        await world.server.untilRequests(3);
        handle.send('Well?');
        world.server.release('second');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'D.' });
      },
    ));

  it('still shows that it continued by itself when the session is reopened', () =>
    inBusy([plan('one'), { say: 'Soon.' }, done(1), { say: 'Done.' }], async (world) => {
      await world.play('work', { agent: 'busy' });
      const { history } = await (await world.restart()).engine.sessions.open(world.sessionId);
      const told = history.flatMap((one) => (one.type === 'auto-continued' ? [[one.count, one.max, one.open]] : []));
      assert.deepEqual(told, [[1, 3, 1]]);
    }));

  it('is not restarted by a compacted conversation (D-28)', () =>
    inBusy(
      [
        plan('one'),
        { say: 'Soon.' },
        { fail: { status: 400, body: { error: { message: 'x', code: 'context_length_exceeded' } } } },
        { say: 'Notes.' },
        { say: 'Still soon.' },
      ],
      async (world) => {
        const played = await world.play('work', { agent: 'busy' });
        assert.ok(played.events.some(({ type }) => type === 'session-compressed'));
        assert.deepEqual(counts(played), [[1, 3, 1]]);
      },
    ));

  it('uses the agent’s own text to continue', () =>
    withWorld({ files: FILES, story: [plan('one'), { say: '.' }, { say: '.' }] }, async (world) => {
      await world.play('work', { agent: 'own' });
      assert.equal(world.server.requests[2]?.lastText, 'Next, please.\n\n1. [ ] one');
    }));
});

describe('The prompt', () => {
  it('explains to-dos only to an agent that continues with them and has the tools', () =>
    withWorld(
      {
        files: {
          ...FILES,
          '.cairn/agents/bare.md': '---\nauto_continue: true\ntools: [fs_read]\n---\nYou read.',
          '.cairn/agents/told.md': '---\nauto_continue: true\ninject_todo_instructions: false\n---\nYou know.',
        },
        story: [{ say: '.' }, { say: '.' }, { say: '.' }],
      },
      async (world) => {
        for (const agent of ['busy', 'bare', 'told']) await world.play('x', { agent });
        const systems = world.server.requests.map(({ messages }) => messages[0]?.text ?? '');
        assert.deepEqual(
          systems.map((text) => text.includes('# To-dos')),
          [true, false, false],
        );
        assert.doesNotMatch(systems[1] ?? '', /user__|skill__/, 'it has none of these tools');
      },
    ));

  it('keeps a table and rulers in an agent’s text', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/table.md': '---\ndescription: t\n---\nFirst.\n\n| a | b |\n| --- | --- |\n\n---\n\nLast.',
        },
        story: [{ say: '.' }],
      },
      async (world) => {
        await world.play('x', { agent: 'table' });
        assert.match(world.server.requests[0]?.messages[0]?.text ?? '', /^First\.\n\n\| a[^]*---\n\nLast\.\n/);
      },
    ));
});
