import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

describe('Workspace instructions', () => {
  it('reach the model with their file name', () =>
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

describe('The session title', () => {
  it('is the start of the first message, then the model’s title after the first exchange', () =>
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

  it('stays unchanged when the model returns none, and the run still succeeds', () =>
    withWorld({ story: [{ say: 'It is noon.' }, { fail: { status: 400 } }] }, async (world) => {
      const { outcome } = await world.play('What time is it?', { namesSession: true });
      assert.equal(outcome.kind, 'completed');
      await world.engine.shutDown();
      assert.equal((await world.engine.sessions.open(world.sessionId)).metadata.title, 'What time is it?');
    }));

  it('is not requested by the command line, since it would cost a request', () =>
    withWorld({ story: [{ say: 'It is noon.' }] }, async (world) => {
      await world.play('What time is it?');
      assert.equal(world.server.requests.length, 1);
    }));
});

describe('A time limit', () => {
  it('ends the run along with the pending command or request, and reports it', () =>
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

describe('A token limit', () => {
  it('ends the run with a matching outcome', () =>
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

describe('Limits in the settings', () => {
  for (const [limit, limits, own] of [
    ['turns', { turns: 2 }, 9],
    ['turns', { turns: 9 }, 2],
    ['tokens', { tokens: 1000 }, 9],
    ['time', { minutes: 0.01 }, 9],
  ] as const)
    it(`apply to a run of an agent with ${own} turns: ${JSON.stringify(limits)} ends it by ${limit}`, () =>
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
