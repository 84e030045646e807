import assert from 'node:assert/strict';
import type { Engine } from '../../../src/engine';
import type { PermissionAction, PermissionRule, ResolvedQuery } from '../../../src/engine/permissions/permissionRule';
import { CLAUDE_MODELS } from '../../../src/engine/content/foreignModel';
import { deniedOutright, toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { edit } from '../permissions/queries';
import { withWorld } from '../../support/engineWorld';

const inWorkspace = (files: Record<string, string>, look: (engine: Engine) => Promise<void>) =>
  withWorld({ files, story: [] }, ({ engine }) => look(engine));

const agent = (...head: string[]) => ['---', 'description: Helps', ...head, '---', 'You help.'].join('\n');

const reading = (relative: string): ResolvedQuery => ({ ...edit(relative), tool: 'fs_read', category: 'read' });
const writing = (relative: string): ResolvedQuery => ({ ...edit(relative), tool: 'fs_write' });
const fetching = (host: string): ResolvedQuery => ({ tool: 'fetch_url', category: 'network', host, paths: [] });

function decided(rules: readonly PermissionRule[], query: ResolvedQuery): PermissionAction {
  return toolPolicy.decide(query, { agent: rules }).action;
}

const offers = (rules: readonly PermissionRule[], name: string) =>
  !deniedOutright({ name, category: 'network' }, [rules]);

interface Told {
  problems(): Promise<readonly { severity: string; path: string; message: string }[]>;
}

/** Returns the problems of a catalog's files as `error name.md: sentence`. */
async function said(of: Told): Promise<string[]> {
  return (await of.problems()).map(
    ({ severity, path, message }) => `${severity} ${path.split('/').at(-1)}: ${message}`,
  );
}

describe('The restrictions on a foreign agent', () => {
  it('cover, for Claude Code, all tools of a server that it denies', () =>
    inWorkspace(
      {
        '.claude/agents/no.md': agent('disallowedTools: mcp__github, mcp__linear__delete_issue'),
        '.claude/agents/yes.md': agent('tools: Read, mcp__github'),
      },
      async (engine) => {
        const { rules } = await engine.agent('no');
        assert.deepEqual(
          ['mcp__github__create_issue', 'mcp__linear__delete_issue', 'mcp__linear__list'].map((one) =>
            offers(rules, one),
          ),
          [false, false, true],
        );
        assert.deepEqual((await engine.agent('yes')).tools, ['fs_read', 'fs_cat', 'mcp__github__*']);
      },
    ));

  it('follow, for Claude Code, .gitignore patterns for files in every tool that changes them', () =>
    inWorkspace(
      {
        '.claude/agents/no.md': agent(
          'disallowedTools: Read(**/secrets/**), Read(.env), Read(./keys/), Read(~/.ssh/**), Edit(src/gen/**), Read(logs/**/own.log)',
        ),
      },
      async (engine) => {
        const { rules } = await engine.agent('no');
        for (const path of [
          'secrets/a',
          'deep/secrets/a',
          '.env',
          'deep/.env',
          'keys/a.pem',
          'logs/own.log',
          'logs/a/b/own.log',
        ])
          assert.equal(decided(rules, reading(path)), 'deny', path);
        for (const path of ['src/a.ts', 'deep/keys/a.pem'])
          assert.notEqual(decided(rules, reading(path)), 'deny', path);
        for (const query of [edit('src/gen/a.ts'), writing('src/gen/a.ts')])
          assert.equal(decided(rules, query), 'deny');
        assert.deepEqual(await said(engine.agents), [
          'warning no.md: The limit “~/.ssh/**” of “Read” has no effect; permission rules say what it may do.',
        ]);
      },
    ));

  it('cover, for OpenCode, server tools under the names it uses', () =>
    inWorkspace(
      {
        '.opencode/agents/old.md': agent('tools:', '  "my_server_*": false', '  github_create_issue: false'),
        '.opencode/agents/new.md': agent('permission:', '  "git*": deny'),
      },
      async (engine) => {
        const { rules } = await engine.agent('old');
        assert.deepEqual(
          ['mcp__my_server__read', 'mcp__github__create_issue', 'mcp__github__list'].map((one) => offers(rules, one)),
          [false, false, true],
        );
        assert.equal(offers((await engine.agent('new')).rules, 'mcp__github__list'), false);
      },
    ));

  it('apply, for OpenCode, to the hosts of web pages, with a report of rules that differ', () =>
    inWorkspace(
      {
        '.opencode/agents/web.md': agent(
          'permission:',
          '  webfetch:',
          '    "*": allow',
          '    "https://bad.example.com/*": deny',
          '    "*://worse.example.com/some/page": deny',
          '    "https://good.example.com/docs/*": allow',
          '  edit:',
          '    "~/notes/*": deny',
          '  grep:',
          '    "password*": deny',
          '  todowrite:',
          '    "~/list": deny',
        ),
      },
      async (engine) => {
        const { rules } = await engine.agent('web');
        for (const host of ['bad.example.com', 'worse.example.com'])
          assert.equal(decided(rules, fetching(host)), 'deny', host);
        assert.ok(!rules.some(({ argument }) => argument?.kind === 'host' && /good/.test(argument.pattern)));
        const told = (await said(engine.agents)).map((line) => /“[^”]+”[^.“]*/.exec(line)?.[0]);
        assert.deepEqual(told, [
          '“*://worse.example.com/some/page” applies to every page of the host',
          '“https://good.example.com/docs/*” would allow more than it says and has no effect',
          '“~/notes/*” matches nothing and has no effect',
          '“grep”, ',
          '“todowrite” have nothing for ',
        ]);
      },
    ));

  it('exclude, for Claude Code, all tools when its tools list is empty', () =>
    inWorkspace(
      { '.claude/agents/none.md': agent('tools:'), '.claude/agents/all.md': agent('disallowedTools:') },
      async (engine) => {
        assert.deepEqual((await engine.agent('none')).tools, []);
        assert.equal((await engine.agent('all')).tools, null);
        assert.deepEqual(await said(engine.agents), [
          'warning none.md: “tools” has no value, so the agent has no tools. Name some, or leave the key out to offer all of them.',
        ]);
      },
    ));

  it('do not mention hosts, for OpenCode, when they are about folders', () =>
    inWorkspace(
      {
        '.opencode/agents/here.md': agent(
          'permission:',
          '  external_directory:',
          '    "*": deny',
          '    "/tmp/**": allow',
        ),
      },
      async (engine) => {
        assert.deepEqual(await said(engine.agents), [
          'warning here.md: Paths outside the workspace always need approval, so “external_directory” has no effect.',
        ]);
      },
    ));

  it('are never inverted by a suggestion', () =>
    inWorkspace(
      {
        '.claude/agents/wide.md': agent('allowed-tools: Read'),
        '.claude/skills/narrow/SKILL.md': agent('disallowed-tools: Bash'),
      },
      async (engine) => {
        const [problem] = await engine.agents.problems();
        assert.deepEqual(problem?.meant, { written: 'allowed-tools', instead: 'tools' });
        assert.deepEqual(await said(engine.skills), [
          'warning SKILL.md: Unknown key “disallowed-tools”. It has no effect in Cairn.',
        ]);
      },
    ));
});

describe('Foreign files', () => {
  it('accept booleans as text, lists with spaces, and server names with slashes', () =>
    inWorkspace(
      {
        '.github/agents/hidden.agent.md': agent('user-invocable: "false"', 'disable-model-invocation: no'),
        '.github/agents/docs.agent.md': agent("tools: ['io.github.upstash/context7/*', 'oraios/serena/find.symbol']"),
        '.github/agents/lead.agent.md': agent('agents: [docs]'),
        '.claude/agents/spaced.md': agent('tools: Read Grep Bash(git diff:*)'),
        '.claude/skills/quiet/SKILL.md': agent('disable-model-invocation: "true"'),
      },
      async (engine) => {
        const { mode, hidden } = await engine.agent('hidden');
        assert.deepEqual([mode, hidden], ['subagent', false]);
        assert.deepEqual((await engine.agent('docs')).tools, [
          'mcp__io_github_upstash_contex__*',
          'mcp__oraios_serena__find_symbol',
        ]);
        const { on, agents } = (await engine.agent('lead')).spawning;
        assert.deepEqual([on, agents], [true, ['docs']]);
        const { tools, rules } = await engine.agent('spaced');
        assert.ok(tools?.includes('fs_grep') && tools.includes('execute_command'), tools?.join());
        assert.deepEqual(rules.at(-1)?.argument, { kind: 'command', words: ['git', 'diff'] });
        assert.equal((await engine.skills.find('quiet'))?.forModel, false);
        assert.deepEqual(await said(engine.agents), []);
      },
    ));

  it('of GitHub Copilot and Gemini CLI are left out where a limit is invalid, but not where it is another value', () => {
    const copilot = ['tools', 'agents', 'user-invocable', 'user-invokable', 'disable-model-invocation', 'infer'];
    const gemini = ['kind', 'tools', 'max_turns', 'timeout_mins'];
    const files = [
      ...copilot.map((key) => [`.github/agents/${key}.agent.md`, agent(`${key}: { a: 1 }`)] as const),
      ...gemini.map((key) => [`.gemini/agents/gemini-${key}.md`, agent(`${key}: { a: 1 }`)] as const),
      ...[2, 2.5].map((value) => [`.gemini/agents/at-${value * 10}.md`, agent(`temperature: ${value}`)] as const),
    ];
    return inWorkspace(Object.fromEntries(files), async (engine) => {
      const found = (await engine.agents.list()).filter(({ source }) => source.scope !== 'builtin');
      assert.deepEqual(found.map(({ name, temperature }) => `${name}: ${temperature}`).sort(), [
        'at-20: 2',
        'at-25: undefined',
      ]);
    });
  });

  it('of Claude Code accept quoted numbers, several names in one item, and models in any case', () =>
    inWorkspace(
      {
        '.claude/agents/loose.md': agent(
          'tools:',
          '  - Read, Grep',
          '  - Bash(git diff:*)',
          'maxTurns: "7"',
          'model: Opus[1m]',
        ),
        '.claude/agents/far.md': agent('model: openai/some-model', 'disallowedTools: ["Bash, Write"]'),
      },
      async (engine) => {
        const loose = await engine.agent('loose');
        assert.deepEqual(loose.tools?.slice(0, 4), ['fs_read', 'fs_cat', 'fs_grep', 'execute_command']);
        assert.deepEqual(loose.rules.at(-1)?.argument, { kind: 'command', words: ['git', 'diff'] });
        assert.deepEqual([loose.limits, loose.model], [{ turns: 7 }, CLAUDE_MODELS['opus']]);
        const far = await engine.agent('far');
        assert.equal(far.model, 'openai:some-model');
        assert.deepEqual(
          ['execute_command', 'fs_write', 'fs_read'].map((name) => offers(far.rules, name)),
          [false, false, true],
        );
        assert.deepEqual(await said(engine.agents), []);
      },
    ));

  it('with tool names of another program report what is missing and suggest no server', () =>
    inWorkspace(
      {
        '.claude/agents/ported.md': agent('tools: Read, edit/editFiles, search_issues, wiki/find'),
        '.gemini/agents/ported-too.md': agent('tools: [Read, Edit, Bash, TodoWrite]'),
        '.github/agents/shell.agent.md': agent('tools: [view, create, web_fetch, runNotebookCell, search_issues]'),
      },
      async (engine) => {
        const { tools } = await engine.agent('ported');
        assert.deepEqual(tools, ['fs_read', 'fs_cat', 'search_issues', 'mcp__wiki__find']);
        for (const name of ['fs_read', 'fs_edit', 'execute_command', 'todo__add'])
          assert.ok((await engine.agent('ported-too')).tools?.includes(name), name);
        for (const name of ['fs_read', 'fs_write', 'fetch_url'])
          assert.ok((await engine.agent('shell')).tools?.includes(name), name);
        assert.deepEqual((await said(engine.agents)).sort(), [
          'warning ported.md: Cairn itself has no tool “search_issues”; it takes effect when a script or an extension provides it.',
          'warning ported.md: There is no tool “edit/editFiles”. The agent works without it.',
          'warning shell.agent.md: Cairn has no equivalent of “runNotebookCell” from GitHub Copilot; the agent works without it.',
          'warning shell.agent.md: Cairn itself has no tool “search_issues”; it takes effect when a server, a script, or an extension provides it.',
        ]);
      },
    ));

  it('may have names in any characters, and are listed under names that can be typed', () =>
    inWorkspace(
      {
        '.claude/skills/next.js 14/SKILL.md': agent(),
        '.claude/skills/Ü/SKILL.md': agent(),
        '.claude/commands/code review.md': 'Review.',
        '.claude/commands/team/@all.md': 'All.',
        '.github/prompts/form.prompt.md': agent('name: Create a form!'),
        '.cairn/commands/our own.md': 'Ours.',
      },
      async (engine) => {
        const names = async (of: { list(): Promise<readonly { name: string; source: { scope: string } }[]> }) =>
          (await of.list()).filter(({ source }) => source.scope === 'workspace').map(({ name }) => name);
        assert.deepEqual(await names(engine.skills), ['next-js-14', 'Ü']);
        assert.deepEqual(await names(engine.typed.prompts), ['Create-a-form', 'code-review', 'team:all']);
        assert.deepEqual(
          (await said(engine.typed.prompts)).map((line) => line.replace(/: start.*/, '')),
          [
            'note form.prompt.md: The command is called “Create-a-form” here.',
            'note code review.md: The command is called “code-review” here.',
            'note @all.md: The command is called “team:all” here.',
            'error our own.md: “our own” is not a valid command name',
          ],
        );
      },
    ));

  it('that are misplaced or misnamed are reported', () =>
    inWorkspace(
      {
        '.claude/skills/flat.md': agent(),
        '.claude/skills/low/skill.md': agent(),
        '.claude/skills/fine/SKILL.md': agent(),
        '.claude/skills/fine/notes.md': 'Notes.',
        '.claude/agents/LOUD.MD': agent(),
        '.cairn/agents/one/config.yml': 'instructions: Do it',
        '.cairn/agents/two/index.yaml': 'instructions: Do it',
        '.cursor/agents/three.mdc': agent(),
        '.claude/commands/all.mdc': 'Do all.',
        '.claude/commands/.ruff.toml': 'line-length = 80',
        '.cursor/commands/notes.txt': 'Notes.',
        '.gemini/commands/plan.md': 'Plan.',
        '.github/prompts/form.md': 'Make a form.',
      },
      async (engine) => {
        assert.deepEqual(
          (await said(engine.skills)).map((line) => line.split(':')[0]),
          ['note flat.md', 'note skill.md'],
        );
        assert.deepEqual(
          (await said(engine.agents)).map((line) => line.split(':')[0]),
          ['note three.mdc', 'note LOUD.MD', 'note config.yml', 'note index.yaml'],
        );
        assert.deepEqual(await said(engine.typed.prompts), [
          'note plan.md: This is not used: a command is a file here that ends in .toml.',
          'note form.md: This is not used: a command is a file here that ends in .prompt.md.',
          'note all.mdc: This is not used: a command is a file here that ends in .md.',
        ]);
      },
    ));

  it('of Coyote and AIChat accept models without a provider, newer keys, and keys without a value', () =>
    inWorkspace(
      {
        '.cairn/agents/old/config.yaml': 'instructions: Do it\nmodel: gpt-4o\ntemperature: null\nvariables:\n',
        '.cairn/agents/bad/config.yaml': 'instructions: Do it\nglobal_tools: 5\n',
        '.cairn/roles/old.md': '---\nmodel: gpt-4o\nmemory: true\ntop_p: null\n---\nYou are old.',
        '.cairn/roles/bad.md': '---\ntemperatur: 1\n---\nYou are bad.',
      },
      async (engine) => {
        assert.equal((await engine.agent('old')).prompt, 'Do it');
        assert.equal((await engine.role('old')).prompt, 'You are old.');
        await assert.rejects(engine.agent('bad'), /global_tools/);
        await assert.rejects(engine.role('bad'), /temperatur/);
        assert.deepEqual(
          [...(await said(engine.agents)), ...(await said(engine.roles))].filter((line) => line.startsWith('warning')),
          [
            'warning config.yaml: “model”: must be written provider:model or provider/model. It is left out.',
            'warning old.md: “model”: must be written provider:model or provider/model. It is left out.',
            'warning old.md: Unknown key “memory”. It has no effect here. Remove it.',
          ],
        );
      },
    ));
});

describe('Foreign commands', () => {
  const FILES = {
    '.opencode/commands/make.md': '---\nagent: build\n---\nMake it.',
    '.opencode/commands/think.md': '---\nagent: plan\n---\nThink.',
    '.opencode/commands/ask.md': '---\nagent: stranger\n---\nAsk.',
    '.github/prompts/plan.prompt.md': "---\nagent: 'Plan'\n---\nPlan for ${selection} in ${file}.",
    '.claude/commands/inner.md': '---\nuser-invocable: false\n---\nInner.',
  };

  it('work when their agent does not exist here or is only a mode of their program', () =>
    withWorld({ files: FILES, story: [] }, async ({ engine, folder, sessionId }) => {
      const asked = async (text: string) => engine.typed.expand(text, { sessionId, workspace: folder });
      assert.deepEqual((await asked('/make'))?.run, {});
      assert.deepEqual((await asked('/think'))?.run, { workMode: 'plan' });
      assert.deepEqual((await asked('/plan'))?.run, { workMode: 'plan' });
      const ask = await asked('/ask');
      assert.deepEqual(ask?.run, {});
      assert.deepEqual(ask.notes, [
        '/ask asks for the agent “stranger”, which does not exist here; this session’s agent answers.',
      ]);
    }));

  it('report what cannot be filled in, and that they are offered to users', () =>
    inWorkspace(FILES, async (engine) => {
      assert.deepEqual(await said(engine.typed.prompts), [
        'warning plan.prompt.md: ${selection}, ${file} cannot be filled in: attach it to the message.',
        'note inner.md: Models cannot start commands in Cairn, so it is offered to people anyway.',
      ]);
    }));
});
