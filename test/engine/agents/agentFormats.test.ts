import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentDefinition } from '../../../src/engine/agents/agentDefinition';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { problemLine } from '../../../src/engine/content/contentProblem';
import type { ContentRoot } from '../../../src/engine/content/contentRoots';
import { CLAUDE_MODELS } from '../../../src/engine/content/foreignModel';
import { loadModelCatalog } from '../../../src/engine/llm/modelCatalog';
import { callableTargets } from '../../../src/engine/team/targetChooser';
import { nodePorts } from '../../../src/node/nodePorts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loader = new AgentLoader(nodePorts({ env: process.env, ripgrepCandidates: [], log }));

/** Reads the agents of a folder with these files; returns them with the problems reported for them. */
async function read(world: ContentRoot['world'], files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-agents-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const { items, problems } = await loader.readRoot({ folder, scope: 'workspace', world });
    const lines = problems.map((problem) => problemLine(problem).replace(`${folder}/`, ''));
    return { agents: new Map(items.map((agent) => [agent.name, agent])), lines };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function only(agents: ReadonlyMap<string, AgentDefinition>): AgentDefinition {
  const [agent] = agents.values();
  assert.ok(agent && agents.size === 1, `there are ${agents.size} agents`);
  return agent;
}

describe('Markdown agents', () => {
  it('take their name from the path or file and their prompt from the body, with any line endings', async () => {
    const { agents, lines } = await read('cairn', {
      'review.md':
        '---\r\ndescription: Reviews: all of it\r\nmode: subagent\r\n---\r\nYou review.\r\n\r\n---\r\nWell.\r\n',
      'nested/deep.md': '---\nname: other\nmodel: openai/gpt-5:mini\ntemperature: 0.2\n---\nYou are deep.',
      'nested/plain.md': '---\n---\nYou are plain.',
    });
    assert.deepEqual(lines, []);
    assert.deepEqual([...agents.keys()].sort(), ['nested/plain', 'other', 'review']);
    const review = agents.get('review');
    assert.deepEqual([review?.mode, review?.description], ['subagent', 'Reviews: all of it']);
    assert.equal(review?.prompt, 'You review.\n\n---\nWell.');
    assert.deepEqual([agents.get('other')?.model, agents.get('other')?.temperature], ['openai:gpt-5:mini', 0.2]);
    assert.equal(agents.get('nested/plain')?.mode, 'all');
  });

  it('are reported with line, column and a fix when invalid, without affecting others', async () => {
    const { agents, lines } = await read('cairn', {
      'good.md': '---\ndescription: Good\n---\nYou are good.',
      'key.md': '---\ndescription: a\ntemprature: 1\n---\nYou.',
      'mode.md': '---\nmode: boss\n---\nYou.',
      'none.md': 'You have no front matter.',
      'open.md': '---\ndescription: a\nYou have no end.',
      'yaml.md': '---\ndescription: "a\n---\nYou.',
    });
    assert.deepEqual([...agents.keys()], ['good']);
    assert.deepEqual(lines.map((line) => line.replace(/ error: .*/, '')).sort(), [
      'key.md:3:1:',
      'mode.md:2:7:',
      'none.md:1:1:',
      'open.md:1:1:',
      'yaml.md:2:16:',
    ]);
    assert.match(lines.join('\n'), /Unknown key “temprature”\. Did you mean “temperature”\?/);
    assert.match(lines.join('\n'), /open\.md.*is not closed/);
  });

  it('derive their tools from a permission map, in which the last match wins', async () => {
    const permission = ['permission:', '  "*": ask', '  edit: deny', '  bash:', '    "git *": allow', '    "*": deny'];
    const { agents, lines } = await read('opencode', {
      'a.md': ['---', ...permission, '  task:', '    "*": deny', '    "review-*": allow', '---', 'You.'].join('\n'),
    });
    const { rules, taskTargets, toolNames } = only(agents);
    assert.deepEqual(lines, []);
    assert.equal(toolNames, 'opencode');
    const about = (tool: string) => rules.filter((rule) => rule.tool === tool).map(({ action }) => action);
    assert.deepEqual(about('fs_edit'), ['deny']);
    assert.deepEqual(about('execute_command'), ['allow', 'deny']);
    assert.deepEqual(rules.find(({ argument }) => argument)?.argument, { kind: 'command', words: ['git'] });
    assert.deepEqual(taskTargets, [
      { pattern: '*', action: 'ask' },
      { pattern: '*', action: 'deny' },
      { pattern: 'review-*', action: 'allow' },
    ]);
  });

  it('use the tool names of their program, unless they use ours', async () => {
    const { agents } = await read('opencode', {
      'theirs.md': '---\ntools: [read, bash]\n---\nYou.',
      'ours.md': '---\ntools: [fs_read, bash]\n---\nYou.',
      'ruled.md': '---\npermission:\n  fs_edit: deny\n---\nYou.',
    });
    const names = ['theirs', 'ours', 'ruled'].map((name) => agents.get(name)?.toolNames);
    assert.deepEqual(names, ['opencode', 'cairn', 'cairn']);
    const own = await read('cairn', { 'a.md': '---\ntools: [read]\n---\nYou.' });
    assert.equal(only(own.agents).toolNames, 'cairn');
  });

  it('have one tool when they name one, even by its file name, and report unsupported appearance keys', async () => {
    const { agents, lines } = await read('cairn', {
      'filed.md': '---\nglobal_tools: [fs_read.sh]\n---\nYou.',
      'besides.md': '---\ndescription: Both\nglobal_tools: [fs_read.sh, fs_grap.sh]\ntools:\n  bash: false\n---\nYou.',
      'red.md': '---\ncolor: red\n---\nYou.',
    });
    assert.deepEqual(agents.get('filed')?.tools, ['fs_read']);
    assert.deepEqual(agents.get('besides')?.tools, ['fs_read', 'fs_grap']);
    const told = lines.join('\n');
    assert.match(told, /^red\.md:2:1: .*color/m);
    assert.match(told, /^besides\.md:3:1: .*“fs_grap”/m);
  });

  it('have all tools again when a later switch enables all of them', async () => {
    const { agents } = await read('opencode', {
      'a.md': '---\ntools:\n  bash: false\n  "*": true\n  task: false\n---\nYou.',
    });
    const { rules, tools } = only(agents);
    assert.deepEqual([tools, rules], [null, [{ tool: 'task', action: 'deny' }]]);
  });

  it('report tools that Cairn does not have but an extension may add', async () => {
    const { agents, lines } = await read('cairn', {
      'a.md':
        '---\ntools: [fs_read, fs_grap, mcp__x__y, "mcp:x", a.b/c, x/*]\npermission:\n  lsp: deny\n  raed: allow\n---\nYou.',
    });
    assert.deepEqual(only(agents).tools, ['fs_read', 'fs_grap', 'mcp__x__y', 'mcp__x__*', 'mcp__a_b__c']);
    assert.equal(lines.length, 3);
    assert.match(
      lines.join('\n'),
      /a\.md:2:1: warning: Cairn itself has no tool “fs_grap”; .*\. Did you mean “fs_grep”\?/,
    );
    assert.match(lines.join('\n'), /a\.md:5:3: warning: Cairn itself has no tool “raed”/);
  });

  it('accept the names of other programs for limits, effort and switches', async () => {
    const { agents, lines } = await read('opencode', {
      'steps.md': '---\nsteps: 6\nreasoningEffort: high\n---\nYou.',
      'most.md': '---\nmaxSteps: 5\n---\nYou.',
      'plain.md': '---\nmax_turns: 4\nmax_cost: 2\nmax_time: 3\n---\nYou.',
      'switched.md': '---\ntools:\n  write: false\n  bash: false\n  edit: true\n  task: false\n---\nYou.',
    });
    const limits = ['steps', 'most', 'plain'].map((name) => agents.get(name)?.limits);
    assert.deepEqual(limits, [{ turns: 6 }, { turns: 5 }, { turns: 4, costUsd: 2, timeMs: 3000 }]);
    assert.deepEqual([agents.get('steps')?.effort, agents.get('most')?.effort], ['high', undefined]);
    const denied = (agents.get('switched')?.rules ?? []).map(({ tool, action }) => `${action} ${tool}`);
    assert.ok(denied.includes('deny execute_command') && denied.includes('deny task'), denied.join());
    assert.ok(!denied.includes('deny fs_edit') && !denied.includes('deny fs_write'), denied.join());
    assert.deepEqual(lines, []);
  });

  it('list what in them has no effect', async () => {
    const { agents } = await read('cairn', {
      'all.md': '---\ndescription: All\n---\nYou.',
      'less.md': '---\ndocuments: [x.md]\n---\nYou.',
    });
    assert.equal(agents.get('all')?.lacks, undefined);
    assert.equal(agents.get('less')?.lacks?.length, 1);
  });

  it('do not include a README unless it has front matter', async () => {
    const words = await read('cairn', { 'README.md': 'Our agents.', 'a.md': '---\n---\nYou.' });
    assert.deepEqual([...words.agents.keys()], ['a']);
    assert.match(words.lines.join('\n'), /^README\.md:1:1: note: This has no front matter[^\n]*$/);
    const { agents } = await read('cairn', { 'README.md': '---\ndescription: Reads\n---\nYou read.' });
    assert.deepEqual([...agents.keys()], ['README']);
  });

  it('may be text or bytes without a file', async () => {
    const { agent, problems } = await loader.readText(new TextEncoder().encode('---\nmodel: nothing\n---\nYou.'), 'a');
    assert.equal(agent, undefined);
    assert.equal(
      problems[0] && problemLine(problems[0]),
      '<memory>:2:8: error: “model”: must be written provider:model or provider/model.',
    );
    assert.equal((await loader.readText('---\n---\nYou.', 'a')).agent?.prompt, 'You.');
    assert.equal((await loader.readText(new Uint8Array([0, 1, 2, 255]), 'a')).problems[0]?.kind, 'io');
  });
});

describe('Agents from other programs', () => {
  it('of Claude Code are subagents with their tools mapped to ours', async () => {
    const head = ['name: tester', 'description: Use it: often', 'tools: Read, Grep, Bash(npm test:*), Frobnicate'];
    const { agents, lines } = await read('claude', {
      'tester.md': ['---', ...head, 'model: sonnet', 'permissionMode: plan', 'novelty: 1', '---', 'You test.'].join(
        '\n',
      ),
    });
    const agent = only(agents);
    assert.deepEqual([agent.mode, agent.model], ['subagent', CLAUDE_MODELS['sonnet']]);
    assert.deepEqual(agent.tools?.slice(0, 4), ['fs_read', 'fs_cat', 'fs_grep', 'execute_command']);
    assert.deepEqual(agent.rules.at(-1)?.argument, { kind: 'command', words: ['npm', 'test'] });
    assert.deepEqual(lines.map((line) => /“[^”]+”/.exec(line)?.[0]).sort(), [
      '“Frobnicate”',
      '“novelty”',
      '“permissionMode”',
    ]);
  });

  it('of Claude Code use models that are in the catalog', () => {
    const { models } = loadModelCatalog();
    for (const id of Object.values(CLAUDE_MODELS))
      assert.ok(
        models.some((model) => model.id === id),
        id,
      );
  });

  it('of GitHub Copilot can be called by users, by agents, or by both', async () => {
    const { agents, lines } = await read('copilot', {
      'a.agent.md': '---\ndescription: A\ntools: [read, search, agent]\nuser-invocable: false\n---\nYou.',
      'b.md': "---\ndescription: B\nmodel: ['GPT-5 (copilot)']\ndisable-model-invocation: true\n---\nYou.",
    });
    assert.deepEqual([agents.get('a')?.mode, agents.get('b')?.mode], ['subagent', 'primary']);
    assert.equal(agents.get('a')?.spawning.on, true);
    assert.deepEqual(agents.get('a')?.tools, ['fs_read', 'fs_cat', 'fs_ls', 'fs_glob', 'fs_grep', 'agent__*']);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /b\.md:3:1: warning: “GPT-5 \(copilot\)” is a Copilot name/);
  });

  it('of Coyote are folders named by the folder, with the files in it', async () => {
    const config = [
      ...['name: shown', 'model: openai:gpt-5', 'global_tools: [fs_cat.sh, fs_write.sh, get_current_weather.sh]'],
      ...['auto_continue: true', 'max_auto_continues: 25', 'can_spawn_agents: true', 'escalation_timeout: 20'],
      ...[
        'instructions: |',
        '  You are {{who}}.',
        'variables:',
        '  - name: who',
        '    description: Who',
        '    default: me',
      ],
    ].join('\n');
    const { agents, lines } = await read('cairn', {
      'helper/config.yaml': config,
      'helper/tools.sh': '# tools',
      'helper/notes.md': 'No agent.',
    });
    const agent = only(agents);
    assert.equal(agent.name, 'helper');
    assert.deepEqual(agent.autoContinue, { on: true, max: 25, injects: true });
    assert.deepEqual([agent.spawning.on, agent.spawning.escalationTimeoutMs], [true, 20_000]);
    assert.deepEqual(agent.variables, [{ name: 'who', description: 'Who', default: 'me' }]);
    assert.ok(agent.tools?.includes('fs_cat') && agent.tools.includes('todo__*') && !agent.tools.includes('fs_edit'));
    assert.ok(agent.folder?.endsWith('helper'));
    assert.match(lines.join('\n'), /get_current_weather/);
  });
});

describe('The agents that an agent may start', () => {
  const agent = async (name: string, more: Partial<AgentDefinition> = {}): Promise<AgentDefinition> => {
    const { agent: made } = await loader.readText('---\n---\nYou.', name);
    assert.ok(made);
    return { ...made, name, ...more };
  };
  const names = async (more: Partial<AgentDefinition>, headless = false) => {
    const all = [
      agent('zeta'),
      agent('review-a'),
      agent('boss', { mode: 'primary' }),
      agent('sub', { mode: 'subagent' }),
    ];
    const targets = callableTargets(await agent('x', more), await Promise.all(all), { headless });
    return targets.map(({ name }) => name);
  };

  it('are all except primary ones, sorted, by default', async () => {
    assert.deepEqual(await names({}), ['review-a', 'sub', 'zeta']);
  });

  it('are those that permission.task allows, where the last match wins and none means no', async () => {
    const taskTargets = [
      { pattern: '*', action: 'deny' as const },
      { pattern: 'review-?', action: 'allow' as const },
    ];
    assert.deepEqual(await names({ taskTargets }), ['review-a']);
    assert.deepEqual(await names({ taskTargets: [] }), []);
  });

  it('do not include one that needs approval when there is no user', async () => {
    const taskTargets = [{ pattern: 'sub', action: 'ask' as const }];
    assert.deepEqual(await names({ taskTargets }), ['sub']);
    assert.deepEqual(await names({ taskTargets }, true), []);
  });
});
