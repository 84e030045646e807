import assert from 'node:assert/strict';
import { join } from 'node:path';
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

describe('Agents and commands in OpenCode’s settings', () => {
  const settings = (data: object, comment = '') => `${comment}${JSON.stringify(data, null, 2)}`;
  const denies = (agent: { rules: readonly { tool: string; action: string }[] }, tool: string) =>
    agent.rules.findLast((rule) => rule.tool === tool)?.action;

  it('are used in place, with their prompts from files, and those in folders count more', () =>
    inWorkspace(
      {
        'opencode.jsonc': settings(
          {
            agent: {
              looker: {
                description: 'Looks',
                mode: 'subagent',
                model: 'openai/other-model',
                prompt: '{file:./ask.txt}',
              },
              twice: { prompt: 'From the settings.' },
              plan: { model: 'openai/other-model' },
              off: { prompt: 'Off.', disable: true },
            },
            mode: { tidy: { prompt: 'You tidy.' } },
            command: { test: { template: 'Test $1 of {file:ask.txt}', description: 'Tests', agent: 'looker' } },
          },
          '// Ours.\n',
        ),
        'ask.txt': 'You look.\n',
        '.opencode/agents/twice.md': 'From the folder.',
      },
      async ({ engine, folder, sessionId }) => {
        const looker = await engine.agent('looker');
        assert.deepEqual(
          [looker.prompt, looker.mode, looker.model, looker.modelIsWish, looker.toolNames],
          ['You look.', 'subagent', 'openai:other-model', true, 'opencode'],
        );
        assert.equal((await engine.agent('twice')).prompt, 'From the folder.');
        assert.equal((await engine.agent('tidy')).mode, 'primary');
        const names = (await engine.agents.list()).map(({ name }) => name);
        assert.ok(!names.includes('plan') && !names.includes('off'), names.join());
        const told = await engine.agents.problems();
        assert.deepEqual(
          told.map(({ severity, line }) => [severity, line]),
          [['note', 13]],
        );
        const typed = await engine.typed.expand('/test tides', { sessionId, workspace: folder });
        assert.match(JSON.stringify(typed?.attachment), /Test tides of You look\./);
        assert.equal(typed?.run.agent, 'looker');
      },
    ));

  it('have the limits that the file sets for all agents, and its other settings are reported', () =>
    inWorkspace(
      {
        'opencode.json': settings({
          default_agent: 'free',
          permission: { bash: 'deny', edit: 'ask' },
          tools: { webfetch: false },
          agent: { free: { prompt: 'You act.' }, more: { prompt: 'You edit.', permission: { edit: 'allow' } } },
        }),
      },
      async ({ engine }) => {
        const [free, more] = [await engine.agent('free'), await engine.agent('more')];
        assert.deepEqual(
          [free, more].map((one) => ['execute_command', 'fs_edit', 'fetch_url'].map((tool) => denies(one, tool))),
          [
            ['deny', 'ask', 'deny'],
            ['deny', 'allow', 'deny'],
          ],
        );
        assert.deepEqual(said(await engine.agents.problems()), [
          'warning: “permission” applies to the agents in this file only. Rules for all agents belong in .cairn/permissions.json.',
          'warning: “tools” applies to the agents in this file only. Rules for all agents belong in .cairn/permissions.json.',
          'warning: “default_agent” has no effect: files cannot change the default agent. Choose an agent in Cairn.',
        ]);
      },
    ));

  it('are merged with Markdown files of the same names, which count more', () =>
    inWorkspace(
      {
        'opencode.json': settings({
          permission: { bash: 'deny' },
          agent: {
            review: {
              ...{ description: 'Old', mode: 'subagent', steps: 5, temperature: 0.1 },
              ...{ model: 'openai/other-model', permission: { edit: 'deny', webfetch: 'deny' } },
            },
            off: { disable: true },
          },
        }),
        '.opencode/agent/review.md':
          '---\ndescription: New\ntemperature: 0.7\npermission:\n  webfetch: allow\n---\nYou review.',
        '.opencode/agent/off.md': '---\ndescription: Off\n---\nYou are off.',
        '.claude/agents/other.md': '---\nname: other\ndescription: Other\n---\nYou are other.',
      },
      async ({ engine, folder }) => {
        const review = await engine.agent('review');
        const { description, mode, temperature, model, prompt, limits, source } = review;
        assert.deepEqual([description, mode, temperature], ['New', 'subagent', 0.7]);
        assert.deepEqual([model, prompt, limits], ['openai:other-model', 'You review.', { turns: 5 }]);
        assert.equal(source.path, join(folder, '.opencode/agent/review.md'));
        const tools = ['execute_command', 'fs_edit', 'fetch_url'];
        assert.deepEqual(
          tools.map((tool) => denies(review, tool)),
          ['deny', 'deny', 'allow'],
        );
        const names = (await engine.agents.list()).map(({ name }) => name);
        assert.ok(names.includes('other') && !names.includes('off'), names.join());
        assert.doesNotMatch(said(await engine.agents.problems()).join('\n'), /also the name of/);
      },
    ));

  it('of OpenCode 2 have its keys, a list of rules, and models with a variant', () =>
    inWorkspace(
      {
        '.opencode/opencode.json': settings({
          permissions: [{ action: 'shell', resource: '*', effect: 'deny' }],
          agents: { helper: { system: 'You help.', model: 'openai/other-model#high', disabled: false } },
          commands: { 'team/go': { template: 'Go.', model: 'openai/other-model#high' } },
        }),
      },
      async ({ engine, folder, sessionId }) => {
        const helper = await engine.agent('helper');
        assert.deepEqual([helper.prompt, helper.model, helper.effort], ['You help.', 'openai:other-model', 'high']);
        assert.equal(denies(helper, 'execute_command'), 'deny');
        const typed = await engine.typed.expand('/team/go', { sessionId, workspace: folder });
        assert.equal(typed?.run.model, 'openai:other-model');
      },
    ));

  it('are left out with a reason when they are invalid or empty', () =>
    inWorkspace(
      {
        'opencode.json': settings({
          agent: {
            wrong: { prompt: 'You act.', permission: { bash: 'never' } },
            text: 'You act.',
            leaks: { prompt: '{file:.env}' },
          },
          command: { none: { description: 'Nothing' } },
        }),
        '.env': 'KEY=hunter2hunter2',
        '.opencode/opencode.json': '{ "agent": ',
      },
      async ({ engine }) => {
        const names = (await engine.agents.list()).map(({ name }) => name);
        assert.ok(!names.includes('wrong') && !names.includes('text'), names.join());
        assert.equal((await engine.agent('leaks')).prompt, '{file:.env}');
        const told = said(await engine.agents.problems()).join('\n');
        assert.match(told, /error: .*never|error: .*permission/);
        assert.match(told, /“text” must be an object/);
        assert.match(told, /\{file:\.env\} cannot be read here/);
        assert.match(told, /error: This is not valid JSON/);
        assert.match(said(await engine.typed.prompts.problems()).join('\n'), /The command is empty/);
      },
    ));

  it('are validated with the rest of a repository', () =>
    inWorkspace(
      {
        'opencode.json': settings({ agent: { wrong: { prompt: 'You act.', tools: 3 } } }),
        'app/opencode.jsonc': settings({ theme: 'dark' }),
      },
      async ({ folder }) => {
        const { files, problems } = await validateContent(
          folder,
          nodePorts({ env: process.env, ripgrepCandidates: [] }),
        );
        assert.deepEqual([files, problems.map(({ severity, line }) => [severity, line])], [1, [['error', 5]]]);
      },
    ));
});
