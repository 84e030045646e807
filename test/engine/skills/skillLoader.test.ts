import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { problemLine } from '../../../src/engine/content/contentProblem';
import type { ContentRoot } from '../../../src/engine/content/contentRoots';
import { RoleLoader } from '../../../src/engine/roles/roleLoader';
import { SkillLoader } from '../../../src/engine/skills/skillLoader';
import { nodePorts } from '../../../src/node/nodePorts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });

async function read<T extends { name: string }>(
  loader: {
    readRoot(
      root: ContentRoot,
    ): Promise<{ items: readonly T[]; problems: readonly Parameters<typeof problemLine>[0][] }>;
  },
  files: Record<string, string>,
  world: ContentRoot['world'] = 'cairn',
) {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-skills-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const { items, problems } = await loader.readRoot({ folder, scope: 'workspace', world });
    const lines = problems.map((problem) => problemLine(problem).replace(`${folder}/`, ''));
    return { items: new Map(items.map((item) => [item.name, item])), lines };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('Skill files', () => {
  const skills = new SkillLoader(ports);

  it('are named after their folder, grant tools in both notations, and keep tables in their text', async () => {
    const { items, lines } = await read(skills, {
      'git-master/SKILL.md': '---\ndescription: Commits\nenabled_tools: execute_command, fs_read\n---\n| a |\n|---|\n',
      'pdf/SKILL.md':
        '---\nname: pdf\ndescription: PDF\nallowed-tools: Read Bash(pdf:*)\nauto_unload: true\n---\nRead.',
      'pdf/references/more.md': 'More.',
      'deep/er/SKILL.md': '---\ndescription: Too deep\n---\nNo.',
    });
    assert.deepEqual(lines, [
      'deep/er/SKILL.md:1:1: note: This is too deep to be a skill. Move its folder into the folder of skills.',
    ]);
    assert.deepEqual([...items.keys()].sort(), ['git-master', 'pdf']);
    const git = items.get('git-master');
    assert.deepEqual([git?.tools, git?.body], [['execute_command', 'fs_read'], '| a |\n|---|']);
    const pdf = items.get('pdf');
    assert.deepEqual(pdf?.tools.slice(0, 3), ['fs_read', 'fs_cat', 'execute_command']);
    assert.deepEqual([pdf.autoUnload, git?.autoUnload], [true, false]);
  });

  it('are reported when their name, keys or description are invalid', async () => {
    const { items, lines } = await read(skills, {
      'two words/SKILL.md': '---\ndescription: a\n---\nNo.',
      'typo/SKILL.md': '---\ndescription: a\nauto-unload: true\n---\nNo.',
      'bare/SKILL.md': 'Only words.',
      'other/SKILL.md': '---\nname: another\ndescription: a\n---\nYes.',
    });
    assert.deepEqual([...items.keys()].sort(), ['bare', 'other']);
    const all = lines.join('\n');
    assert.match(all, /two words\/SKILL\.md:2:1: error: “two words” is not a valid skill name/);
    assert.match(all, /typo\/SKILL\.md:3:1: error: Unknown key “auto-unload”\. Did you mean “auto_unload”\?/);
    assert.match(all, /bare\/SKILL\.md.* warning: Without a “description”/);
    assert.match(all, /other\/SKILL\.md:2:1: warning: The skill is called “other”/);
  });
});

describe('Role files', () => {
  it('take their name from the path, settings from the front matter, and only the tools they list', async () => {
    const { items, lines } = await read(new RoleLoader(ports), {
      'code.md': '---\nmodel: openai/gpt-5\ntemperature: 0\nenabled_tools: []\nskills_enabled: false\n---\nOnly code.',
      'all.md': '---\nenabled_tools: all\n---\n',
      'some.md': '---\nenabled_tools: fs_cat,fs_ls\nauto_continue: true\n---\nLook at __INPUT__.\n---\nmore',
    });
    assert.deepEqual(lines, []);
    const code = items.get('code');
    assert.deepEqual([code?.model, code?.temperature, code?.tools, code?.skills.on], ['openai:gpt-5', 0, [], false]);
    assert.equal(items.get('all')?.tools, null);
    assert.deepEqual(items.get('some')?.tools, ['fs_cat', 'fs_ls']);
    assert.equal(items.get('some')?.prompt, 'Look at __INPUT__.\n---\nmore');
  });
});
