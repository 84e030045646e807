import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';

const json = (value: unknown) => JSON.stringify(value);
const named = (items: readonly { name: string; source: { scope: string } }[]) =>
  items.flatMap(({ name, source }) => (source.scope === 'workspace' ? [name] : []));

describe('A workspace that is a Claude Code plugin', () => {
  it('provides its agents, skills and commands, including those listed at other paths', () =>
    withWorld(
      {
        files: {
          '.claude-plugin/plugin.json': json({ name: 'tidy', agents: ['./extra/one.md'], commands: './more/' }),
          'agents/sweeper.md':
            '---\nname: sweeper\ndescription: Sweeps\n---\nRead ${CLAUDE_PLUGIN_ROOT}/dust.md first.',
          'extra/one.md': '---\nname: one\ndescription: One\n---\nYou are one.',
          'extra/two.md': '---\nname: two\ndescription: Nobody named it\n---\nYou are two.',
          'skills/dust/SKILL.md': '---\ndescription: Dusting\n---\nDust.',
          'commands/sweep.md': 'Sweep $ARGUMENTS by ${CLAUDE_PLUGIN_ROOT}/how.md',
          'more/shine.md': 'Shine.',
        },
      },
      async ({ engine, folder }) => {
        assert.deepEqual(named(await engine.agents.list()), ['one', 'sweeper']);
        assert.equal((await engine.agent('sweeper')).prompt, `Read ${folder}/dust.md first.`);
        assert.deepEqual(named(await engine.skills.list()), ['dust']);
        assert.deepEqual(named(await engine.typed.prompts.list()), ['shine', 'sweep']);
        assert.equal((await engine.typed.prompts.find('sweep'))?.body, `Sweep $ARGUMENTS by ${folder}/how.md`);
      },
    ));

  it('is not recognized by folders of these names alone', () =>
    withWorld({ files: { 'agents/notes.md': '---\nname: notes\n---\nNotes.' } }, async ({ engine }) => {
      assert.deepEqual(named(await engine.agents.list()), []);
      assert.deepEqual(await engine.agents.problems(), []);
    }));
});

describe('A workspace that is a plugin of another program', () => {
  const marks = {
    '.github/plugin/plugin.json': ['copilot', 'agents/sweeper.agent.md'],
    '.cursor-plugin/plugin.json': ['cursor', 'agents/sweeper.md'],
    'gemini-extension.json': ['gemini', 'agents/sweeper.md'],
  } as const;

  for (const [mark, [world, agent]] of Object.entries(marks)) {
    it(`provides its content, parsed as that program does: ${mark}`, () =>
      withWorld(
        {
          files: {
            [mark]: json({ name: 'tidy' }),
            [agent]: '---\nname: sweeper\ndescription: Sweeps\n---\nYou sweep.',
            'skills/dust/SKILL.md': '---\ndescription: Dusting\n---\nDust.',
          },
        },
        async ({ engine }) => {
          assert.deepEqual(named(await engine.agents.list()), ['sweeper']);
          assert.equal((await engine.agent('sweeper')).source.world, world);
          assert.deepEqual(named(await engine.skills.list()), ['dust']);
        },
      ));
  }

  it('provides each item once when it is a plugin of several programs', () =>
    withWorld(
      {
        files: {
          ...Object.fromEntries(Object.keys(marks).map((mark) => [mark, json({ name: 'tidy' })])),
          '.claude-plugin/plugin.json': json({ name: 'tidy' }),
          'agents/sweeper.md': '---\nname: sweeper\ndescription: Sweeps\nmodel: sonnet\n---\nYou sweep.',
        },
      },
      async ({ engine }) => {
        assert.deepEqual(named(await engine.agents.list()), ['sweeper']);
        assert.equal((await engine.agent('sweeper')).source.world, 'claude');
        assert.deepEqual(await engine.agents.problems(), []);
      },
    ));
});

describe('A workspace that lists plugins', () => {
  it('provides those inside it, with its own content first and a report of what is hidden', () =>
    withWorld(
      {
        files: {
          '.claude-plugin/marketplace.json': json({
            name: 'shop',
            metadata: { pluginRoot: './plugins' },
            plugins: [
              { name: 'a', source: './plugins/a' },
              { name: 'b', source: 'b', skills: ['./odd/deep'] },
              { name: 'far', source: { source: 'github', repo: 'some/where' } },
            ],
          }),
          'plugins/a/agents/same.md': '---\nname: same\ndescription: Of a\n---\nYou are of a.',
          'plugins/b/agents/same.md': '---\nname: same\ndescription: Of b\n---\nYou are of b.',
          'plugins/b/odd/deep/SKILL.md': '---\ndescription: Deep\n---\nDeep.',
          'plugins/c/agents/unlisted.md': '---\nname: unlisted\n---\nNobody lists me.',
          '.claude/agents/own.md': '---\nname: own\ndescription: Own\n---\nYou are our own.',
        },
      },
      async ({ engine }) => {
        assert.deepEqual(named(await engine.agents.list()), ['own', 'same']);
        assert.equal((await engine.agent('same')).description, 'Of b');
        assert.deepEqual(named(await engine.skills.list()), ['deep']);
        const [problem, ...more] = await engine.agents.problems();
        assert.match(problem?.path ?? '', /plugins\/a\/agents\/same\.md$/);
        assert.match(problem?.message ?? '', /also the name of .*plugins\/b\/agents\/same\.md, which takes precedence/);
        assert.deepEqual(more, []);
      },
    ));

  it('is not followed outside, and problems in its list are reported', () =>
    withWorld(
      {
        files: {
          '.claude-plugin/marketplace.json': json({
            plugins: [
              { name: 'up', source: '../outside' },
              { name: 'link', source: './link' },
            ],
          }),
        },
      },
      async ({ engine, folder }) => {
        await symlink('/etc', join(folder, 'link'));
        engine.agents.reload();
        assert.deepEqual(named(await engine.agents.list()), []);
      },
    ));

  it('with invalid JSON is reported', () =>
    withWorld({ files: { '.claude-plugin/plugin.json': '{ "name": ' } }, async ({ engine }) => {
      const [problem] = await engine.skills.problems();
      assert.match(`${problem?.path} ${problem?.message}`, /plugin\.json This plugin was left out/);
    }));
});
