import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

describe('instructions of the workspace', () => {
  it('reach the model with the name of their file', () =>
    withWorld(
      {
        files: {
          'AGENTS.md': 'Always answer in haiku.',
          '.github/copilot-instructions.md': 'Use tabs.',
          'CLAUDE.md': '  ',
        },
        story: [{ say: 'Yes.' }],
      },
      async (world) => {
        await world.play('hello');
        const system = world.server.requests[0]?.messages[0]?.text ?? '';
        assert.match(system, /# From \.github\/copilot-instructions\.md of this workspace\nUse tabs\./);
        assert.match(system, /# From AGENTS\.md of this workspace\nAlways answer in haiku\./);
        assert.doesNotMatch(system, /CLAUDE\.md/);
      },
    ));
});

describe('the title of a session', () => {
  it('is the beginning of the first message, and the model’s own after the first exchange', () =>
    withWorld(
      { story: [{ say: 'It is noon.' }, { say: '"Asking for the time."' }, { say: 'One.' }] },
      async (world) => {
        const handle = world.run('What time is it?\nTell me.', { namesSession: true });
        const titles: string[] = [];
        const named = new Promise<void>((resolve) =>
          handle.subscribe((event) => {
            if (event.type === 'session-renamed' && titles.push(event.title) === 2) resolve();
          }),
        );
        assert.equal((await handle.outcome).kind, 'completed');
        await named;
        assert.deepEqual(titles, ['What time is it?', 'Asking for the time']);
        const { events } = await world.play('and now?', { namesSession: true });
        assert.equal(
          events.some(({ type }) => type === 'session-renamed'),
          false,
          'only the first exchange names it',
        );
      },
    ));

  it('stays as it was when the model does not name it, and the run is none the worse', () =>
    withWorld({ story: [{ say: 'It is noon.' }, { fail: { status: 400 } }] }, async (world) => {
      const { outcome } = await world.play('What time is it?', { namesSession: true });
      assert.equal(outcome.kind, 'completed');
      await world.engine.shutDown();
      assert.equal((await world.engine.sessions.open(world.sessionId)).metadata.title, 'What time is it?');
    }));

  it('is not asked for by the command line, which would cost a request', () =>
    withWorld({ story: [{ say: 'It is noon.' }] }, async (world) => {
      await world.play('What time is it?');
      assert.equal(world.server.requests.length, 1);
    }));
});

describe('a limit of time', () => {
  it('ends the run with the command or the request it waits for, and says so', () =>
    withWorld(
      {
        story: [{ call: [{ name: 'execute_command', arguments: { command: 'sleep 600' } }] }, { fail: 'hang' }],
      },
      async (world) => {
        for (const text of ['a command', 'a request']) {
          const { outcome } = await world.play(text, { limits: { timeMs: 300 } });
          assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'time' }, text);
        }
        assert.equal((await world.engine.sessions.open(world.sessionId)).interrupted, false);
      },
    ));
});

describe('a limit of tokens', () => {
  it('ends the run with an outcome that says so', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 600, output: 10 } },
          { call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 700, output: 10 } },
        ],
      },
      async (world) => {
        const { outcome } = await world.play('loop', { limits: { tokens: 1000 } });
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'tokens' });
      },
    ));
});

describe('limits in the settings', () => {
  for (const [limit, limits, own] of [
    ['turns', { turns: 2 }, 9],
    ['turns', { turns: 9 }, 2],
    ['tokens', { tokens: 1000 }, 9],
    ['time', { minutes: 0.01 }, 9],
  ] as const)
    it(`hold for a run of an agent with ${own} turns: ${JSON.stringify(limits)} ends it by ${limit}`, () =>
      withWorld(
        {
          settings: { limits },
          files: { '.cairn/agents/looker.md': `---\ndescription: Looks\nmax_turns: ${own}\n---\nLook.\n` },
          story: [
            { call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 600, output: 10 } },
            limit === 'time'
              ? { call: [{ name: 'execute_command', arguments: { command: 'sleep 20' } }] }
              : { call: [{ name: 'fs_ls', arguments: {} }], usage: { input: 700, output: 10 } },
          ],
        },
        async (world) => {
          const { outcome } = await world.play('loop', { agent: 'looker' });
          assert.deepEqual(outcome, { kind: 'limit-reached', limit });
        },
      ));
});
