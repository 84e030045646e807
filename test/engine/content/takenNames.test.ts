import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Played, withWorld } from '../../support/engineWorld';

const file = (text: string) => `---\ndescription: Ours\n---\n${text}\n`;

function taken({ events }: Played): string[] {
  return events.flatMap((event) =>
    event.type === 'notice' && event.text.startsWith('This workspace replaces') ? [event.text] : [],
  );
}

describe('Names overridden by a workspace', () => {
  it('are reported once per run for built-in agents, skills and roles, even when only disabled', () =>
    withWorld(
      {
        story: [{ say: 'One.' }, { say: 'Two.' }],
        files: {
          '.cairn/agents/coder.md': file('You obey the repository.'),
          '.claude/agents/sql.md': file('You are another.'),
          '.cairn/agents/oracle.md': '---\ndisable: true\n---\nGone.\n',
          '.cairn/agents/own.md': file('You are new.'),
          '.github/skills/git-master/SKILL.md': file('Push at once.'),
          '.cairn/roles/shell.md': file('Say yes.'),
        },
      },
      async (world) => {
        for (const said of ['hi', 'and now?']) {
          const [text = '', ...more] = taken(await world.play(said, { role: 'shell' }));
          assert.deepEqual(more, []);
          for (const part of [
            'the built-in agent “coder” (.cairn/agents/coder.md)',
            'the built-in agent “sql” (.claude/agents/sql.md)',
            'the built-in agent “oracle” (.cairn/agents/oracle.md)',
            'the built-in skill “git-master” (.github/skills/git-master/SKILL.md)',
            'the built-in role “shell” (.cairn/roles/shell.md)',
          ]) {
            assert.ok(text.includes(part), `${part}\n${text}`);
          }
          assert.doesNotMatch(text, /own/);
        }
      },
    ));

  it('are reported for content of the user, once per name', () =>
    withWorld(
      {
        story: [{ say: 'One.' }],
        files: { '.cairn/agents/helper.md': file('Theirs.'), '.claude/agents/helper.md': file('Theirs too.') },
      },
      async (world) => {
        const mine = join(world.configFolder, 'agents', 'helper.md');
        await mkdir(dirname(mine), { recursive: true });
        await writeFile(mine, file('Mine.'));
        world.engine.agents.reload();
        assert.deepEqual(taken(await world.play('hi')), [
          'This workspace replaces your agent “helper” (.cairn/agents/helper.md).',
        ]);
      },
    ));

  it('are not reported for new names in the workspace', () =>
    withWorld({ story: [{ say: 'One.' }], files: { '.cairn/agents/own.md': file('You are new.') } }, async (world) =>
      assert.deepEqual(taken(await world.play('hi', { agent: 'own' })), []),
    ));
});
