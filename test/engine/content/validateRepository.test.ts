import assert from 'node:assert/strict';
import { validateContent } from '../../../src/engine/authoring/validateContent';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';

describe('Repository validation', () => {
  it('covers Gemini CLI commands and deeply nested agents, but not source packages of that name', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({
        '.gemini/commands/go.toml': 'prompt = 1\n',
        'a/b/c/d/e/f/g/h/i/.claude/agents/deep.md': 'You.',
        'src/a/b/c/d/e/agents/f/g/h/Tool.java': 'class Tool {}',
      });
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false });
      const { files, problems } = await validateContent(folder.path, ports);
      assert.equal(files, 2);
      assert.deepEqual(problems.map(({ severity, path }) => `${severity} ${path.split('/').at(-1)}`).sort(), [
        'error deep.md',
        'error go.toml',
      ]);
    } finally {
      await folder.remove();
    }
  });

  it('looks in every folder of another tool in which its agents and commands are looked up', async () => {
    const folder = await temporaryFolder();
    try {
      const agent = '---\ndescription: Helps\ntide: high\n---\nYou help.';
      await folder.write({
        '.github/chatmodes/old.chatmode.md': agent,
        'app/.copilot/agents/own.agent.md': agent,
        '.opencode/modes/plain.md': agent,
        '.codex/prompts/go.md': '---\ntide: high\n---\nGo.',
        '.claude/notes/agent.md': agent,
        '.claude/agent/elsewhere.txt': agent,
      });
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false });
      const { problems } = await validateContent(folder.path, ports);
      assert.deepEqual(problems.map(({ severity, path }) => `${severity} ${path.split('/').at(-1)}`).sort(), [
        'note go.md',
        'note old.chatmode.md',
        'note own.agent.md',
        'note plain.md',
      ]);
    } finally {
      await folder.remove();
    }
  });

  it('allows unknown keys in skills that may be for another program, but not invalid values', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({
        '.kiro/skills/kiln/SKILL.md': '---\ndescription: Kilns\nheat: 900\n---\nFire.',
        'skills/glaze/SKILL.md': '---\ndescription: Glazes\nheat: 900\n---\nGlaze.',
        'skills/wheel/SKILL.md': '---\ndescription: [Wheels]\n---\nTurn.',
        '.cairn/skills/clay/SKILL.md': '---\ndescription: Clay\nheat: 900\n---\nKnead.',
      });
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false });
      const { problems } = await validateContent(folder.path, ports);
      assert.deepEqual(problems.map(({ severity, path }) => `${severity} ${path.split('/').at(-2)}`).sort(), [
        'error clay',
        'error wheel',
        'note glaze',
        'note kiln',
      ]);
    } finally {
      await folder.remove();
    }
  });

  it('reads agents in a plain agents folder as Claude Code agents if they are written for it, and others strictly', async () => {
    const folder = await temporaryFolder();
    try {
      const agent = (head: string) => `---\n${head}\n---\nYou help.`;
      await folder.write({
        'agents/model.md': agent('name: model\ndescription: Helps\nmodel: sonnet\ncategory: help'),
        'agents/tools.md': agent('name: tools\ndescription: Helps\ntools: Read, Grep\nversion: 1'),
        'agents/list.md': agent('name: list\ndescription: Helps\ntools:\n  - Read\nauthor: Ada'),
        'agents/own.md': agent('description: Helps\ntools: [fs_read]\nauthor: Ada'),
        'agents/guide.md': 'How these agents work together.',
        '.cairn/agents/strict.md': agent('description: Helps\nmodel: sonnet'),
      });
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false });
      const { files, problems } = await validateContent(folder.path, ports);
      assert.equal(files, 6);
      assert.deepEqual(problems.map(({ severity, path }) => `${severity} ${path.split('/').at(-1)}`).sort(), [
        'error own.md',
        'error strict.md',
        'note list.md',
        'note model.md',
        'note tools.md',
        'warning guide.md',
      ]);
    } finally {
      await folder.remove();
    }
  });
});
