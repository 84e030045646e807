import assert from 'node:assert/strict';
import { validateContent } from '../../../src/engine/authoring/validateContent';
import { nodePorts } from '../../../src/node/nodePorts';
import { withWorld } from '../../support/engineWorld';

/** Runs `look` in a workspace with these files. */
async function inWorkspace(files: Record<string, string>, look: Parameters<typeof withWorld>[1]): Promise<void> {
  await withWorld({ files, story: [{ say: 'One.' }, { say: 'Two.' }] }, look);
}

const said = (problems: readonly { severity: string; message: string }[]) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

const changes = (tools: readonly string[] | null) => tools?.filter((name) => /write|edit|execute|^\*$/.test(name));

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

  it('of GitHub Copilot may name tools as models get them', () =>
    inWorkspace(
      {
        '.github/agents/inner.agent.md':
          '---\ntools: [read_file, grep_search, run_in_terminal, manage_todo_list]\n---\nYou look.',
      },
      async ({ engine }) => {
        const { tools } = await engine.agent('inner');
        for (const name of ['fs_read', 'fs_grep', 'execute_command', 'todo__init'])
          assert.ok(tools?.includes(name), name);
        assert.ok(!tools?.includes('fs_write'));
        assert.deepEqual(said(await engine.agents.problems()), []);
      },
    ));

  it('of Codex are subagents written as TOML, with their model, effort, and sandbox', () =>
    inWorkspace(
      {
        '.codex/agents/map.toml': [
          'name = "mapper"',
          'description = "Maps."',
          'model = "gpt-6-astra"',
          'model_reasoning_effort = "high"',
          'sandbox_mode = "read-only"',
          'developer_instructions = """',
          'You map.',
          '"""',
          'nickname_candidates = ["Atlas"]',
          '[mcp_servers.docs]',
          'url = "https://docs.test"',
        ].join('\n'),
        '.codex/agents/free.toml': 'model = "sonnet"\ndeveloper_instructions = "You are free."',
        '.codex/agents/loose.toml': 'sandbox_mode = "none"\ndeveloper_instructions = "You do anything."',
        '.codex/agents/empty.toml': '[agent]\nname = "empty"',
        '.codex/agents/broken.toml': 'name = ',
        '.codex/agents/notes.md': 'Notes.',
        '.codex/skills/ship/SKILL.md': '---\ndescription: Ships\n---\nShip.',
        '.goose/skills/pack/SKILL.md': '---\ndescription: Packs\n---\nPack.',
        '.codex/prompts/draft.md': '---\ndescription: Drafts\n---\nDraft $1.',
      },
      async ({ engine, folder }) => {
        const { mode, description, model, effort, workMode, prompt } = await engine.agent('mapper');
        assert.deepEqual(
          [mode, description, model, effort, workMode, prompt],
          ['subagent', 'Maps.', 'openai:gpt-6-astra', 'high', 'ask', 'You map.'],
        );
        const free = await engine.agent('free');
        assert.deepEqual([free.model, free.workMode], [undefined, undefined]);
        for (const name of ['loose', 'empty', 'broken']) assert.equal(await engine.agents.find(name), undefined, name);
        const told = (await engine.agents.problems()).map(
          ({ path, line, severity, message }) => `${path.split('/').at(-1)}:${line} ${severity}: ${message}`,
        );
        for (const line of [
          /^map.toml:5 note: .*runs no commands/,
          /^map.toml:9 note: “nickname_candidates”/,
          /^map.toml:1 warning: “mcp_servers” has no effect/,
          /^free.toml:1 warning: “sonnet” does not name a model/,
          /^loose.toml:1 error: “sandbox_mode”: expected one of/,
          /^empty.toml:1 error: .*developer_instructions/,
          /^broken.toml:1 error: This is not valid TOML/,
          /^notes.md:1 note: This is not used: an agent is a .toml file here/,
        ])
          assert.ok(
            told.some((one) => line.test(one)),
            `${String(line)} in ${told.join('\n')}`,
          );
        for (const name of ['ship', 'pack']) assert.ok(await engine.skills.find(name), name);
        assert.equal((await engine.typed.prompts.find('draft'))?.description, 'Drafts');
        const { files, problems } = await validateContent(folder, nodePorts({ watches: false }));
        assert.equal(files, 9);
        assert.equal(problems.filter(({ severity }) => severity === 'error').length, 3);
      },
    ));

  it('of Codex that are read-only are offered nothing that changes, runs, or fetches', () =>
    inWorkspace(
      { '.codex/agents/look.toml': 'sandbox_mode = "read-only"\ndeveloper_instructions = "You look."' },
      async (world) => {
        await world.play('Look.', { agent: 'look' });
        const offered = world.server.requests[0]?.tools ?? [];
        assert.ok(offered.includes('fs_read'));
        assert.deepEqual(changes(offered), []);
      },
    ));

  it('come with plugins of Codex', () =>
    inWorkspace(
      {
        '.codex-plugin/plugin.json': '{ "name": "kit", "skills": "./skills/" }',
        'skills/kit-one/SKILL.md': '---\ndescription: One\n---\nOne.',
      },
      async ({ engine }) => {
        assert.equal((await engine.skills.find('kit-one'))?.description, 'One');
      },
    ));

  it('of Claude Code that may only plan are in Plan mode', () =>
    inWorkspace(
      { '.claude/agents/planner.md': '---\ndescription: Plans\npermissionMode: plan\n---\nYou plan.' },
      async ({ engine }) => {
        assert.equal((await engine.agent('planner')).workMode, 'plan');
        assert.deepEqual(said(await engine.agents.problems()), [
          'note: “permissionMode” is “plan”, so the agent is in Plan mode: it reads and writes a plan.',
        ]);
      },
    ));

  it('of Claude Code may turn tools on and off in a map, as in OpenCode', () =>
    inWorkspace(
      {
        '.claude/agents/on.md': '---\ndescription: A\ntools:\n  Read: true\n  Bash: false\n---\nA.',
        '.claude/agents/off.md': '---\ndescription: B\ntools:\n  bash: false\n---\nB.',
      },
      async ({ engine }) => {
        assert.deepEqual((await engine.agent('on')).tools, ['fs_read', 'fs_cat']);
        const { tools, rules } = await engine.agent('off');
        assert.equal(tools, null);
        assert.ok(rules.some(({ tool, action }) => tool === 'execute_command' && action === 'deny'));
        const told = said(await engine.agents.problems());
        assert.deepEqual([told.length, told.every((one) => /^warning: “tools” is a list/.test(one))], [2, true]);
      },
    ));

  it('of OpenCode may list their permissions under the names it uses while it runs', () =>
    inWorkspace(
      {
        '.opencode/agents/inner.md':
          '---\npermission:\n' +
          '  - { permission: bash, pattern: "*", action: deny }\n' +
          '  - { permission: bash, pattern: "git status *", action: ask }\n' +
          '  - { permission: edit, action: deny }\n---\nYou look.',
      },
      async ({ engine }) => {
        const { rules } = await engine.agent('inner');
        const of = (name: string) => rules.filter(({ tool }) => tool === name).map(({ action }) => action);
        assert.deepEqual([of('execute_command'), of('fs_write')], [['deny', 'ask'], ['deny']]);
        assert.match(said(await engine.agents.problems()).join(), /this list is read as “permissions”/);
      },
    ));

  it('are reported with a warning if a limit in them is not kept, and with a note for other unknown keys', () =>
    inWorkspace(
      {
        '.gemini/agents/a.md': '---\ndescription: A\ndisallowedTools: [run_shell_command]\nsource: here\n---\nA.',
        '.cursor/agents/b.md': '---\ndescription: B\ntools: Read\n---\nB.',
        '.claude/agents/c.md': '---\ndescription: C\nreadonly: true\n---\nC.',
      },
      async ({ engine }) => {
        assert.deepEqual(
          said(await engine.agents.problems())
            .map((one) => one.replace(/\. .*/, ''))
            .sort(),
          [
            'note: Unknown key “source”',
            'warning: Unknown key “disallowedTools”',
            'warning: Unknown key “readonly”',
            'warning: Unknown key “tools”',
          ],
        );
      },
    ));

  it('do not answer for a command whose “mode” is not an agent', () =>
    inWorkspace(
      {
        '.opencode/command/go.md': '---\ndescription: Goes\nmode: primary\n---\nGo.',
        '.github/prompts/ask.prompt.md': '---\nmode: helper\n---\nAsk.',
      },
      async ({ engine }) => {
        assert.equal((await engine.typed.prompts.find('go'))?.agent, undefined);
        assert.equal((await engine.typed.prompts.find('ask'))?.agent, 'helper');
        assert.deepEqual(said(await engine.typed.prompts.problems()), ['note: “mode” has no effect in Cairn.']);
      },
    ));
});
