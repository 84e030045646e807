import assert from 'node:assert/strict';
import { validateContent } from '../../../src/engine/authoring/validateContent';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';
import { withWorld } from '../../support/engineWorld';

/** Runs `look` in a workspace with these files. */
async function inWorkspace(files: Record<string, string>, look: Parameters<typeof withWorld>[1]): Promise<void> {
  await withWorld({ files, story: [{ say: 'One.' }, { say: 'Two.' }] }, look);
}

const said = (problems: readonly { severity: string; message: string }[]) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`).join('\n');

describe('Agents written for other programs', () => {
  it('use the model of their caller when their own is unavailable, with a notice', () =>
    withWorld(
      {
        files: { '.opencode/agents/far.md': '---\nmodel: groq/some-model\n---\nYou are far.' },
        story: [{ say: 'Here.' }],
      },
      async ({ engine, folder, server }) => {
        const session = await engine.sessions.create({
          ...{ workspace: folder, model: null, approvalMode: 'nothing', name: null },
        });
        assert.equal(await engine.modelFor({ agent: 'far', sessionId: session.id }), await engine.defaultModel());
        assert.equal(server.requests.length, 0);
      },
    ));

  it('of GitHub Copilot can read wherever they may search or edit, and report unsupported tools', () =>
    inWorkspace(
      {
        '.github/agents/editor.agent.md': '---\ntools: [search, edit]\n---\nYou edit.',
        '.github/agents/writer.agent.md': '---\ntools: [createFile]\n---\nYou write.',
        '.github/agents/none.agent.md': '---\ntools: [problems]\n---\nYou look.',
        '.github/agents/shell.agent.md': '---\ntools: [Bash, Grep, runCommands/terminalLastCommand]\n---\nYou run.',
        '.github/chatmodes/plan.chatmode.md': '---\ntools: [codebase]\n---\nYou plan.',
      },
      async ({ engine }) => {
        for (const name of ['editor', 'plan']) assert.ok((await engine.agent(name)).tools?.includes('fs_read'), name);
        assert.deepEqual((await engine.agent('shell')).tools?.includes('execute_command'), true);
        const problems = said(await engine.agents.problems());
        assert.match(problems, /can change files but cannot read them/);
        assert.match(problems, /so the agent has none/);
        assert.match(problems, /no equivalent of “terminalLastCommand”/);
      },
    ));

  it('of GitHub Copilot that neither users nor agents may start are hidden', () =>
    inWorkspace(
      {
        '.github/agents/hand.agent.md':
          '---\nuser-invocable: false\ndisable-model-invocation: true\n---\nYou are handed over to.',
      },
      async ({ engine }) => {
        const { mode, hidden } = await engine.agent('hand');
        assert.deepEqual([mode, hidden], ['primary', true]);
      },
    ));

  it('of GitHub Copilot get the tools of a server by its name, and accept the older key to hide them', () =>
    inWorkspace(
      {
        '.github/agents/wiki.agent.md':
          '---\nmode: agent\ntools: [read, wiki.docs]\nuser-invokable: false\n---\nYou look up.',
      },
      async ({ engine }) => {
        const { tools, mode } = await engine.agent('wiki');
        assert.deepEqual([mode, tools?.includes('mcp__wiki_docs__*')], ['subagent', true]);
        assert.match(said(await engine.agents.problems()), /“wiki.docs”; it takes effect when a server/);
      },
    ));

  it('of Cursor are subagents, and read-only when they say so', () =>
    inWorkspace(
      {
        '.cursor/agents/looker.md':
          '---\nname: looker\ndescription: Looks.\nmodel: fast\nreadonly: true\nis_background: true\n---\nYou look.',
        '.cursor/agents/doer.md': '---\ndescription: Does.\nmodel: inherit\ncolour: red\n---\nYou do.',
        '.cursor/agents/unsure.md': '---\nreadonly: perhaps\n---\nYou guess.',
      },
      async ({ engine }) => {
        const { mode, workMode, model, prompt, description } = await engine.agent('looker');
        assert.deepEqual(
          [mode, workMode, model, prompt, description],
          ['subagent', 'ask', undefined, 'You look.', 'Looks.'],
        );
        const doer = await engine.agent('doer');
        assert.deepEqual([doer.workMode, doer.tools], [undefined, null]);
        // Not offered, because it could do more than intended.
        assert.equal(await engine.agents.find('unsure'), undefined);
        const problems = said(await engine.agents.problems());
        assert.match(problems, /warning: “fast” does not name a model; the agent uses its caller’s model/);
        assert.match(problems, /warning: “is_background” has no effect/);
        assert.match(problems, /note: .*colour/);
        assert.match(problems, /error: .*readonly/);
      },
    ));

  it('of Cursor that are read-only get no tool that writes or runs', () =>
    withWorld(
      {
        files: { '.cursor/agents/looker.md': '---\nreadonly: true\n---\nYou look.' },
        story: [{ say: 'Seen.' }],
      },
      async (world) => {
        await world.play('Look.', { agent: 'looker' });
        const offered = world.server.requests[0]?.tools ?? [];
        assert.ok(offered.includes('fs_read'));
        assert.deepEqual(
          offered.filter((name) => /^(?:fs_(?:edit|write|patch|rm|mkdir)|execute_command)$/.test(name)),
          [],
        );
      },
    ));

  it('of Gemini CLI have their tools mapped to ours, server tools, and limits', () =>
    inWorkspace(
      {
        '.gemini/agents/auditor.md': [
          '---\nname: auditor\ndescription: Audits.\nkind: local\nmodel: gemini-3-pro\ntemperature: 0.2\nmax_turns: 10',
          'timeout_mins: 5\ntools: [read_file, grep_search, mcp_docs_*, mcp_wiki_find_page, save_memory, read_fil]\n---\nYou audit.',
        ].join('\n'),
        '.gemini/agents/everything.md': '---\nmodel: gemini 3\ntools: [mcp_*]\n---\nYou call servers.',
        '.gemini/agents/remote.md': '---\nkind: remote\nname: remote\nagent_card_url: https://a.test/card\n---\n',
        '.gemini/agents/endless.md': '---\nmax_turns: none\n---\nYou go on.',
      },
      async ({ engine }) => {
        const { mode, model, tools, temperature, limits, spawning } = await engine.agent('auditor');
        assert.equal(model, 'gemini:gemini-3-pro');
        assert.deepEqual(
          [mode, temperature, limits, spawning.on],
          ['subagent', 0.2, { turns: 10, timeMs: 300_000 }, false],
        );
        for (const name of ['fs_read', 'fs_grep', 'mcp__docs__*', 'mcp__wiki__find_page'])
          assert.ok(tools?.includes(name), name);
        assert.equal(
          tools?.some((name) => /write|edit|command/.test(name)),
          false,
        );
        assert.deepEqual((await engine.agent('everything')).tools, ['mcp__*']);
        for (const name of ['remote', 'endless']) assert.equal(await engine.agents.find(name), undefined, name);
        const problems = said(await engine.agents.problems());
        assert.match(problems, /“gemini 3” does not name a model/);
        assert.doesNotMatch(problems, /gemini-3-pro/);
        assert.match(problems, /no equivalent of “save_memory”/);
        assert.match(problems, /Did you mean “read_file”/);
        assert.match(problems, /runs on a remote server/);
      },
    ));

  it('of OpenCode are primary when they are in its modes folder, whatever they say', () =>
    inWorkspace(
      {
        '.opencode/mode/strict.md': '---\nmode: subagent\ntools:\n  write: false\n---\nYou are strict.',
        '.opencode/modes/loose.md': 'You are loose.',
      },
      async ({ engine, folder }) => {
        for (const name of ['strict', 'loose']) assert.equal((await engine.agent(name)).mode, 'primary', name);
        const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
        const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
        const { files } = await validateContent(folder, ports);
        assert.equal(files, 2);
      },
    ));

  it('are read from folders with other documents, which are reported when skipped', () =>
    inWorkspace(
      {
        '.claude/agents/README.md': 'How to write agents.',
        '.claude/commands/README.md': 'How to write commands.',
        [`.claude/agents/${'deep/'.repeat(9)}far.md`]: '---\nname: far\n---\nYou are far.',
        '.claude/skills/a/SKILL.md': '---\nname: Other Words\nwhen_to_use: In doubt\n---\nA.',
        '.claude/skills/a/parts/b/SKILL.md': '---\ndescription: B\n---\nB.',
        '.opencode/skill/c/SKILL.md': '---\nname: c-two\ndescription: C\n---\nC.',
      },
      async ({ engine }) => {
        const lines = async (of: { problems(): Promise<readonly { path: string; severity: string }[]> }) =>
          (await of.problems()).map(({ path, severity }) => `${severity} ${path.replace(/.*\/\.claude\//, '')}`);
        assert.deepEqual((await lines(engine.agents)).sort(), [
          `error agents/${'deep/'.repeat(8)}deep`,
          'note agents/README.md',
        ]);
        assert.deepEqual(await lines(engine.typed.prompts), ['note commands/README.md']);
        assert.equal((await engine.skills.find('a'))?.description, 'In doubt');
        assert.ok(await engine.skills.find('c-two'));
        assert.deepEqual(
          (await lines(engine.skills)).filter((line) => !/opencode/.test(line)),
          ['note skills/a/parts/b/SKILL.md', 'note skills/a/SKILL.md'],
        );
      },
    ));

  it('of Claude Code use its newer to-do tools and have multi-line descriptions', () =>
    inWorkspace(
      {
        '.claude/agents/todo.md':
          '---\ndescription: Keeps lists.\\nSecond line.\ntools: TaskCreate, TaskUpdate, TaskList, SendMessage\n---\nYou keep.',
      },
      async ({ engine }) => {
        const { tools, description } = await engine.agent('todo');
        assert.deepEqual(tools, ['todo__init', 'todo__add', 'todo__done', 'todo__list', 'agent__send_message']);
        assert.equal(description, 'Keeps lists.\nSecond line.');
        assert.equal(said(await engine.agents.problems()), '');
      },
    ));

  it('of OpenCode need no front matter or model provider, and may close it with more hyphens', () =>
    inWorkspace(
      {
        '.opencode/agents/plain.md': 'You are plain.',
        '.opencode/agents/short.md': '---\nmodel: gpt-5\ncustom: 1\n-----\nYou are short.',
      },
      async ({ engine }) => {
        assert.equal((await engine.agent('plain')).prompt, 'You are plain.');
        const { prompt, model } = await engine.agent('short');
        assert.deepEqual([prompt, model], ['You are short.', undefined]);
        const problems = said(await engine.agents.problems());
        assert.match(problems, /warning: “gpt-5” does not name a provider, as in provider\/model/);
        assert.match(problems, /note: Unknown key “custom”/);
      },
    ));

  it('of OpenCode 2 have rules as a list, in which the last match wins', () =>
    inWorkspace(
      {
        '.opencode/agents/two.md':
          '---\npermissions:\n' +
          '  - { action: shell, resource: "*", effect: deny }\n' +
          '  - { action: shell, resource: "git status *", effect: ask }\n' +
          '  - { action: subagent, resource: "*", effect: deny }\n' +
          '  - { action: subagent, resource: helper, effect: allow }\n' +
          '  - { action: skill, resource: "*", effect: deny }\n' +
          '  - { action: skill, resource: "my-*", effect: allow }\n---\nYou are two.',
        '.opencode/skill/deep/my-one/SKILL.md': '---\ndescription: One\n---\nOne.',
        '.opencode/skills/other/SKILL.md': '---\ndescription: Other\n---\nOther.',
      },
      async ({ engine, sessionId }) => {
        const { rules, taskTargets } = await engine.agent('two');
        assert.deepEqual(
          rules.filter(({ tool }) => tool === 'execute_command').map(({ action }) => action),
          ['deny', 'ask'],
        );
        assert.deepEqual(
          taskTargets?.map(({ pattern, action }) => [pattern, action]),
          [
            ['*', 'deny'],
            ['helper', 'allow'],
          ],
        );
        await (await engine.sessions.open(sessionId)).configure({ agent: 'two' });
        assert.deepEqual((await engine.skillsFor(sessionId)).names, ['my-one']);
      },
    ));

  it('are not the default when they are hidden subagents', () =>
    inWorkspace(
      { '.opencode/agents/coder.md': '---\nmode: subagent\nhidden: true\n---\nYou take over.' },
      async (world) => {
        const { server } = world;
        await world.play('hi');
        assert.match(server.requests[0]?.messages[0]?.text ?? '', /^You are coder, a coding agent/);
      },
    ));

  it('can be started by ours, which get the tool for it only when some exist', () =>
    inWorkspace(
      { '.claude/agents/painter.md': '---\nname: painter\ndescription: Paints\n---\nYou paint.' },
      async (world) => {
        const { server } = world;
        await world.play('hi');
        assert.ok(server.requests[0]?.tools.includes('task'));
        assert.match(server.requests[0]?.messages[0]?.text ?? '', /- painter: Paints/);
        assert.doesNotMatch(server.requests[0]?.messages[0]?.text ?? '', /- oracle/);
      },
    ));
});

describe('Validation of a whole repository', () => {
  it('parses commands as their program does, and plugin content as Claude Code does', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({
        '.claude-plugin/plugin.json': '{ "name": "tidy" }',
        'agents/sweeper.md': '---\nname: sweeper\ndescription: Sweeps\ntools: Read, Grep\nauthor: me\n---\nYou sweep.',
        'skills/dust/SKILL.md': '---\ndescription: Dusting\nauthor: me\n---\nDust.',
        'commands/sweep.md': '---\nargument-hint: [a] | [b]\n---\nSweep.',
        '.cairn/commands/wrong.md': '---\ndescripton: x\n---\nHi.',
      });
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
      const { files, problems } = await validateContent(
        folder.path,
        nodePorts({ env: process.env, ripgrepCandidates: [], log }),
      );
      assert.equal(files, 4);
      assert.deepEqual(
        problems.map(({ path, severity }) => `${severity} ${path.replace(`${folder.path}/`, '')}`).sort(),
        ['error .cairn/commands/wrong.md', 'note agents/sweeper.md', 'note skills/dust/SKILL.md'],
      );
    } finally {
      await folder.remove();
    }
  });

  it('reads what a plugin lists at any path, and reports an unreadable list', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({
        '.claude-plugin/marketplace.json':
          '{ "plugins": [{ "name": "a", "source": "./parts/a" }, { "name": "b", "source": "./parts/b" }] }',
        'parts/a/.claude-plugin/plugin.json': '{ "agents": ["./staff/one.md"], "commands": "./orders/" }',
        'parts/a/staff/one.md': '---\nname: one\ndescription: One\ntools: 5\n---\nYou.',
        'parts/a/staff/two.md': '---\ntools: 5\n---\nNobody lists it.',
        'parts/a/orders/go.md': '---\nmodel: [nothing]\n---\nGo.',
        'parts/b/.claude-plugin/plugin.json': '{ "agents": ',
      });
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
      const told = async (path: string) => {
        const { problems } = await validateContent(path, ports);
        return problems.map((one) => `${one.severity} ${one.path.replace(`${folder.path}/`, '')}`).sort();
      };
      assert.deepEqual(await told(folder.path), [
        'error parts/a/staff/one.md',
        'error parts/b/.claude-plugin/plugin.json',
        'warning parts/a/orders/go.md',
      ]);
      assert.deepEqual(await told(`${folder.path}/parts/a/staff/one.md`), ['error parts/a/staff/one.md']);
    } finally {
      await folder.remove();
    }
  });

  it('covers agent folders and plugins, but not documents of the same name', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({
        'docs/agents/notes.md': 'About agents.',
        'evals/agents/one/config.yaml': 'temprature: 1\n',
        '.cairn/agents/mine.md': '---\ndescription: Mine\n---\nYou.',
        'plugins/paint/.claude-plugin/plugin.json': '{}',
        'plugins/paint/agents/painter.md': '---\ndescription: Paints\n---\nYou.',
      });
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
      const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
      assert.deepEqual(await validateContent(folder.path, ports), { files: 2, problems: [] });
    } finally {
      await folder.remove();
    }
  });
});

describe('Skills and roles written for other programs', () => {
  it('are described by their first line when they have no description, with a notice, unlike ours', () =>
    inWorkspace(
      {
        '.claude/skills/bare/SKILL.md': '\n# Mends nets\n\nTake thread.',
        '.cairn/skills/ours/SKILL.md': '# Mends nets\n\nTake thread.',
      },
      async ({ engine }) => {
        assert.equal((await engine.skills.find('bare'))?.description, 'Mends nets');
        assert.equal((await engine.skills.find('ours'))?.description, '');
        const problems = said(await engine.skills.problems());
        assert.match(
          problems,
          /warning: Without a “description”, the model knows this skill only by its first line\. Describe/,
        );
        assert.match(
          problems,
          /warning: Without a “description”, the model cannot know when to load this skill\. Describe/,
        );
      },
    ));

  it('are found below folders, but not inside another skill', () =>
    inWorkspace(
      {
        '.claude/skills/team/one/SKILL.md': '---\ndescription: One\n---\nOne.',
        '.claude/skills/team/one/references/two/SKILL.md': '---\ndescription: Two\n---\nTwo.',
        '.cairn/roles/analyst.md': '---\nname: analyst\nuse_tools: fs_cat\n---\nAnalyse.',
      },
      async ({ engine }) => {
        const names = (await engine.skills.list()).map(({ name }) => name);
        assert.ok(names.includes('one') && !names.includes('two'), names.join());
        assert.deepEqual((await engine.role('analyst')).tools, ['fs_cat']);
      },
    ));
});
