import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

/** Runs `look` in a workspace with these files. */
async function inWorkspace(files: Record<string, string>, look: Parameters<typeof withWorld>[1]): Promise<void> {
  await withWorld({ files, story: [{ say: 'One.' }, { say: 'Two.' }] }, look);
}

const said = (problems: readonly { severity: string; message: string }[]) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

const changes = (tools: readonly string[] | null) => tools?.filter((name) => /write|edit|command|^\*$/.test(name));

describe('Agents in unusual forms', () => {
  it('keep their limits when a code block encloses the file, or a comment precedes them', () =>
    inWorkspace(
      {
        '.github/agents/boxed.agent.md':
          '```chatagent\n---\ndescription: Looks\ntools: [search]\n---\nYou look.\n```\n',
        '.claude/agents/late.md': '<!-- Generated -->\n---\ndescription: Looks\ntools: Read\n---\nYou look.',
        '.opencode/agents/later.md': '\n---\ndescription: Looks\ntools:\n  bash: false\n---\nYou look.',
      },
      async ({ engine }) => {
        const { tools, description, prompt } = await engine.agent('boxed');
        assert.deepEqual([description, prompt, changes(tools)], ['Looks', 'You look.', []]);
        assert.deepEqual((await engine.agent('late')).tools, ['fs_read', 'fs_cat']);
        const { rules } = await engine.agent('later');
        assert.ok(rules.some(({ tool, action }) => tool === 'execute_command' && action === 'deny'));
        assert.deepEqual(said(await engine.agents.problems()), []);
      },
    ));
});
