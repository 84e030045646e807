import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';
import { call, resultsIn } from './team/teamStory';

const OPENCODE = { '.opencode/agents/helper.md': '---\ndescription: Helps\nmode: subagent\n---\nYou help.' };
const file = (...head: string[]) => ({
  ...OPENCODE,
  '.opencode/agents/dev.md': ['---', ...head, '---', 'You are dev.'].join('\n'),
});

describe('An agent in OpenCode format', () => {
  it('is offered the OpenCode tools under their names', () =>
    withWorld({ files: file('mode: primary'), story: [{ say: '.' }] }, async (world) => {
      await world.play('go', { agent: 'dev' });
      const tools = world.server.requests[0]?.tools ?? [];
      const ten = ['read', 'write', 'edit', 'glob', 'grep', 'bash', 'webfetch', 'todoread', 'todowrite', 'task'];
      assert.deepEqual(tools.slice(0, 10), ten);
      assert.ok(
        tools.slice(10).every((name) => /^(user|skill)__/.test(name)),
        tools.join(),
      );
      assert.doesNotMatch(JSON.stringify(world.server.requests[0]?.body), /fs_|execute_command|todo__|command__/);
    }));

  it('can read, edit and run with the arguments of either program', () =>
    withWorld(
      {
        files: { ...file('mode: primary'), 'a.txt': 'heron' },
        story: [
          call('read', { filePath: 'a.txt' }),
          call('edit', { filePath: 'a.txt', oldString: 'heron', newString: 'wren' }),
          call('write', { path: 'b.txt', contents: 'crane' }),
          call('bash', { command: 'cat a.txt b.txt', description: 'Look', timeout: 5000 }),
          (request) => ({ say: resultsIn(request).join() }),
        ],
      },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'dev' });
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /wren\n?crane/);
      },
    ));

  it('is checked under our tool names: what its file denies, and what the user allows', () => {
    const asked: string[] = [];
    return withWorld(
      {
        files: file('mode: primary', 'permission:', '  bash:', '    "*": deny', '    "echo *": ask'),
        story: [call('bash', { command: 'ls' }), call('bash', { command: 'echo a' }), { say: '.' }],
        approvalMode: 'edits-and-commands',
        approve: (request) => {
          asked.push(`${request.tool}: ${request.title}`);
          return { kind: 'once' };
        },
      },
      async (world) => {
        await world.play('go', { agent: 'dev' });
        assert.deepEqual(asked, ['execute_command: Run echo a']);
        const [, second] = world.server.requests;
        assert.match(
          resultsIn(second ?? assert.fail()).join(),
          /Not allowed: The agent rule “deny execute_command” applies/,
        );
      },
    );
  });

  it('keeps the to-do list that the user sees, and continues while an item is open', () =>
    withWorld(
      {
        files: file('mode: primary', 'auto_continue: true'),
        story: [
          call('todowrite', { todos: [{ content: 'One', status: 'in_progress' }, { content: 'Two' }] }),
          { say: 'I began.' },
          call('todowrite', {
            todos: [
              { content: 'One', status: 'completed', priority: 'high', id: '1' },
              { content: 'Two', status: 'cancelled' },
            ],
          }),
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const { outcome, events } = await world.play('go', { agent: 'dev' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Done.' });
        const lists = events.flatMap((event) => (event.type === 'todo-changed' ? [event.items] : []));
        assert.deepEqual(lists.at(-1), [{ id: 1, text: 'One', done: true }]);
        assert.equal(events.filter(({ type }) => type === 'auto-continued').length, 1);
        assert.deepEqual(
          world.server.requests[0]?.tools.filter((name) => name.startsWith('todo')),
          ['todoread', 'todowrite'],
        );
      },
    ));

  it('also gets one of our tools when a skill adds it', () =>
    withWorld(
      {
        files: {
          ...file('mode: primary'),
          '.cairn/skills/tides/SKILL.md': '---\ndescription: Tides\nenabled_tools: [fs_ls, fs_read]\n---\nLook.',
        },
        story: [call('skill__load', { name: 'tides' }), call('fs_ls', { path: '.' }), { say: '.' }],
      },
      async (world) => {
        await world.play('go', { agent: 'dev' });
        const [before, after = assert.fail(), last] = world.server.requests;
        assert.deepEqual(before?.tools, after.tools);
        assert.ok(after.tools.includes('fs_ls'));
        assert.ok(after.tools.includes('read') && !after.tools.includes('fs_read'));
        assert.match(resultsIn(last ?? assert.fail()).join(), /\.cairn\//);
      },
    ));

  it('may call an agent with task', () =>
    withWorld(
      {
        files: file('mode: primary'),
        story: [
          call('task', { description: 'Look', prompt: 'Look here.', subagent_type: 'helper' }),
          { say: 'As asked.' },
          (request) => ({ say: resultsIn(request).join() }),
        ],
      },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'dev' });
        assert.match(JSON.stringify(outcome), /As asked/);
      },
    ));
});
