import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { checkGraph } from '../../../src/engine/authoring/graphs/checkGraph';
import { McpConsents } from '../../../src/engine/mcp/mcpChoices';
import { ServerFiles } from '../../../src/engine/mcp/readServers';
import { validateContent } from '../../../src/engine/authoring/validateContent';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
const HELPER = '---\ndescription: Helps\n---\nHelp.\n';
const graph = (nodes: string) => `name: g\nstart: a\nnodes:\n${nodes.replace(/^/gm, '  ')}\n  z: { type: end }\n`;

describe('A graph folder', () => {
  let folder: TemporaryFolder;
  const at = (name: string) => path.join(folder.path, name);

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function problemsIn(name: string): Promise<[files: number, problems: string[]]> {
    const places = { configFolder: at('config'), workspaceFolders: [] };
    const { files, problems } = await validateContent(at(name), ports, { places });
    const lines = problems.map(
      ({ path: file, line, severity, message }) => `${path.relative(folder.path, file)}:${line} ${severity} ${message}`,
    );
    return [files, lines];
  }

  it('is checked against the agents, skills, scripts, tools and servers around it', async () => {
    const nodes = `a: { type: agent, agent: helper, prompt: p, next: b }
b: { type: agent, agent: own, prompt: p, next: c }
c: { type: agent, agent: nobody, prompt: p, next: d }
d: { type: script, script: scripts/there.sh, next: e }
e: { type: script, script: scripts/gone.sh, next: f }
f: { type: llm, prompt: p, tools: [from_agent, from-folder, from_folder, nothing_here, "mcp:web"], model: "nobody:x", enabled_skills: [mine, other], next: z }`;
    await folder.write({
      'project/.cairn/agents/flow/graph.yaml': `${graph(nodes)}mcp_servers: [web, none]\nglobal_tools: [from_folder]\n`,
      'project/.cairn/agents/flow/scripts/there.sh': 'echo "{}"',
      'project/.cairn/agents/flow/tools.sh': 'from_agent() { :; }',
      'project/.cairn/agents/flow/notes.md': 'Notes.',
      'project/.cairn/agents/helper.md': HELPER,
      'project/.cairn/skills/mine/SKILL.md': '---\ndescription: Mine\n---\nMine.',
      'project/.cairn/tools/from-folder.sh': 'main() { :; }',
      'project/.mcp.json': '{"mcpServers":{"web":{"command":"x"}}}',
      'config/agents/own.md': HELPER,
    });
    const file = 'project/.cairn/agents/flow/graph.yaml';
    const expected = [
      `${file}:6 error There is no agent “nobody”. Create it, or name another agent.`,
      `${file}:7 note scripts/there.sh has not been allowed yet.`,
      `${file}:8 error The agent’s folder has no file scripts/gone.sh. Create it, or correct the path.`,
      `${file}:9 error There is no tool “from-folder”. Did you mean “from_folder”?`,
      `${file}:9 error There is no tool “nothing_here”. Neither Cairn nor a script or an extension provides it.`,
      `${file}:9 error There is no provider “nobody” for the model “nobody:x”. The providers are “openai”, “anthropic”`,
      `${file}:9 error There is no skill “other”. Create it, or remove it here.`,
      `${file}:11 note The MCP server “web” (${at('project/.mcp.json')}:1) has not been allowed yet, so a run has none of its tools. To allow it, run cairn mcp allow web.`,
      `${file}:11 warning No file describes the MCP server “none”. Describe it in mcp.json, or remove it here.`,
    ];
    for (const named of ['project/.cairn/agents/flow', file]) {
      const [files, problems] = await problemsIn(named);
      assert.equal(files, 1, named);
      assert.deepEqual(
        problems.map((line, index) => line.slice(0, expected[index]?.length)),
        expected,
        named,
      );
    }
    // Notes in an agent's folder are not agents.
    assert.equal((await problemsIn('project'))[0], 3);
  });

  it('and any other agent may list the tools of scripts around it', async () => {
    const tools = 'global_tools: [from-folder.sh, of_user.py, fs_cat.sh, gone.sh]\n';
    await folder.write({
      'project/.cairn/agents/flow/graph.yaml': `${tools}${graph('a: { type: llm, prompt: p, next: z }')}`,
      'project/.cairn/agents/plain/config.yaml': `${tools}instructions: Help.\n`,
      'project/.cairn/tools/from-folder.sh': 'main() { :; }',
      'config/functions/tools/of_user.py': 'def run():\n    pass\n',
    });
    for (const file of ['project/.cairn/agents/flow/graph.yaml', 'project/.cairn/agents/plain/config.yaml']) {
      const [, problems] = await problemsIn(file);
      assert.deepEqual(problems, [
        `${file}:1 warning Cairn itself has no tool “gone”; it takes effect when a script or an extension provides it.`,
      ]);
    }
  });

  it('may name MCP servers of other programs, aliases of servers, and “all”', async () => {
    const programs = [{ path: at('claude.json'), hasProjects: true }];
    const text = `${graph('a: { type: llm, prompt: p, next: z }')}mcp_servers: [everywhere, here, work, all, elsewhere]\n`;
    const server = { command: 'x' };
    await folder.write({
      'project/.cairn/agents/flow/graph.yaml': text,
      'claude.json': JSON.stringify({
        mcpServers: { everywhere: server },
        projects: {
          [at('project')]: { mcpServers: { here: server } },
          '/other': { mcpServers: { elsewhere: server } },
        },
      }),
    });
    const places = {
      configFolder: at('config'),
      workspaceFolders: [],
      programFiles: () => Promise.resolve(programs),
      serverNames: () => ({ work: ['here'] }),
    };
    const { problems } = await validateContent(at('project'), ports, { places });
    assert.deepEqual(
      problems.filter(({ severity }) => severity !== 'note').map(({ message }) => message),
      ['No file describes the MCP server “elsewhere”. Describe it in mcp.json, or remove it here.'],
    );
  });

  it('of the user may name the MCP servers of every open workspace', async () => {
    const text = `${graph('a: { type: llm, prompt: p, next: z }')}mcp_servers: [one, two, none]\n`;
    await folder.write({
      'one/.mcp.json': '{"mcpServers":{"one":{"command":"x"}}}',
      'two/.mcp.json': '{"mcpServers":{"two":{"command":"x"}}}',
    });
    const [place, path] = [{ agent: 'flow', folder: at('config/agents/flow'), within: undefined }, 'graph.yaml'];
    const found = async (workspaceFolders: readonly string[]) => {
      const places = { configFolder: at('config'), workspaceFolders };
      const problems = await checkGraph(place, { path, text }, { toolFolders: [], places }, ports);
      return problems
        .filter(({ severity }) => severity !== 'note')
        .flatMap(({ message }) => /server “(.*?)”/.exec(message)?.[1] ?? []);
    };
    assert.deepEqual(await found([at('one'), at('two')]), ['none']);
    assert.deepEqual(await found([]), ['one', 'two', 'none']);
  });

  it('gets a note for each script that a run asks about, until the user has allowed it', async () => {
    const nodes = `a: { type: script, script: a.sh, next: b }\nb: { type: script, script: a.sh, next: z }`;
    const files = { 'graph.yaml': graph(nodes), 'a.sh': 'echo "{}"\n' };
    await folder.write({
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/.cairn/agents/flow/${name}`, text])),
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`config/agents/own/${name}`, text])),
    });
    const asks = 'A run shows it and asks first; where nobody can answer, the script does not run.';
    const place = 'project/.cairn/agents/flow/graph.yaml:4';
    const found = async () => (await problemsIn('project/.cairn/agents/flow'))[1];
    assert.deepEqual(await found(), [`${place} note a.sh has not been allowed yet. ${asks}`]);
    const path = at('project/.cairn/agents/flow/a.sh');
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    const allow = (text: string) =>
      folder.write({
        'config/script-consents.json': JSON.stringify({ scripts: [{ file: path, digest: digest(text) }] }),
      });
    await allow(files['a.sh']);
    assert.deepEqual(await found(), []);
    await allow('echo');
    assert.deepEqual(await found(), [`${place} note a.sh has changed since it was allowed. ${asks}`]);
    assert.deepEqual((await problemsIn('config/agents/own'))[1], []);
  });

  it('gets a note for each MCP server that a run cannot start yet, also of the agents that it starts', async () => {
    const nodes =
      'a: { type: agent, agent: helper, prompt: p, next: b }\nb: { type: agent, agent: helper, prompt: p, next: z }';
    const agent = 'project/.cairn/agents';
    await folder.write({
      [`${agent}/flow/graph.yaml`]: `${graph(nodes)}mcp_servers: [work, mine]\n`,
      [`${agent}/helper.md`]: '---\ndescription: Helps\nmcp_servers: [db, web]\n---\nHelp.\n',
      'project/.mcp.json': '{"mcpServers":{\n"web":{"command":"x"},\n"db":{"command":"y"},\n"idle":{"command":"z"}}}',
      'config/mcp.json': '{"mcpServers":{"mine":{"command":"x"}}}',
    });
    const places = { configFolder: at('config'), workspaceFolders: [], serverNames: () => ({ work: ['web'] }) };
    const found = async () => {
      const { problems } = await validateContent(at(`${agent}/flow`), ports, { places });
      return problems.map(({ severity, line, message }) => `${line} ${severity} ${message}`);
    };
    const server = (id: string, line: number) => `MCP server “${id}” (${at('project/.mcp.json')}:${line})`;
    const remedy = (id: string) => `so a run has none of its tools. To allow it, run cairn mcp allow ${id}.`;
    const ofHelper = `4 note “helper” uses it: the ${server('db', 3)} has not been allowed yet, ${remedy('db')}`;
    assert.deepEqual(await found(), [
      ofHelper,
      `7 note The ${server('web', 2)} has not been allowed yet, ${remedy('web')}`,
    ]);
    const consents = new McpConsents(at('config'), ports);
    const { servers } = await new ServerFiles(at('config'), ports).read({ workspace: at('project'), isHeard: true });
    for (const one of servers) if (one.id !== 'mine') await consents.remember(one, one.id === 'db');
    assert.deepEqual(await found(), [`7 note The ${server('web', 2)} is not allowed to start, ${remedy('web')}`]);
  });

  it('reports a link in place of a script, and a path that leads outside, with the real place', async () => {
    const scripts = ['inner.sh', 'shared.sh', 'secret.sh', 'gone.sh', '../beside.sh'];
    const nodes = scripts.map(
      (script, index) =>
        `n${index}: { type: script, script: ${script}, next: ${scripts[index + 1] ? `n${index + 1}` : 'z'} }`,
    );
    const agent = 'project/.cairn/agents/flow';
    await folder.write({
      [`${agent}/graph.yaml`]: graph(nodes.join('\n')).replace('start: a', 'start: n0'),
      [`${agent}/lib/a.sh`]: 'echo "{}"\n',
      'project/shared/b.sh': 'echo "{}"\n',
      'elsewhere/c.sh': 'echo "{}"\n',
      'project/.cairn/agents/beside.sh': 'echo "{}"\n',
    });
    await symlink(at(`${agent}/lib/a.sh`), at(`${agent}/inner.sh`));
    await symlink(at('project/shared/b.sh'), at(`${agent}/shared.sh`));
    await symlink(at('elsewhere/c.sh'), at(`${agent}/secret.sh`));
    await symlink(at('project/shared/none.sh'), at(`${agent}/gone.sh`));
    const [, problems] = await problemsIn(agent);
    const file = `${agent}/graph.yaml`;
    const itself = 'Put the script itself in its place.';
    assert.deepEqual(
      problems.filter((line) => !line.includes('has not been allowed')),
      [
        `${file}:4 warning inner.sh is a link to ${at(`${agent}/lib/a.sh`)} and cannot be read: ${at(`${agent}/inner.sh`)} is a link to a protected file, so it was not read. Put a file with the text itself in its place.`,
        `${file}:5 warning shared.sh is a link to ${at('project/shared/b.sh')}, outside the agent’s folder. ${itself}`,
        `${file}:6 warning secret.sh is a link to ${at('elsewhere/c.sh')} and cannot be read: ${at(`${agent}/secret.sh`)} is a link that leads out of the workspace, so it was not read. Put a file with the text itself in its place.`,
        `${file}:7 error gone.sh is a link to ${at('project/shared/none.sh')}, which does not exist. ${itself}`,
        `${file}:8 warning ../beside.sh is outside the agent’s folder: it is ${at('project/.cairn/agents/beside.sh')}. Put scripts next to graph.yaml.`,
      ],
    );
  });

  it('may only enable skills that the settings make visible', async () => {
    const nodes = 'a: { type: llm, prompt: p, enabled_skills: [hidden, shown], next: z }';
    await folder.write({
      'project/.cairn/agents/flow/graph.yaml': `${graph(nodes)}enabled_skills: [hidden, shown]\n`,
      ...Object.fromEntries(
        ['hidden', 'shown'].map((name) => [
          `project/.cairn/skills/${name}/SKILL.md`,
          '---\ndescription: One\n---\nOne.',
        ]),
      ),
    });
    const found = async (visible: readonly string[] | undefined) => {
      const places = { configFolder: at('config'), workspaceFolders: [], visibleSkills: () => visible };
      const { problems } = await validateContent(at('project/.cairn/agents/flow'), ports, { places });
      return problems.map(({ severity, line, message }) => `${line} ${severity} ${message}`);
    };
    assert.deepEqual(await found(undefined), []);
    const why =
      '“visible_skills” in your settings does not name the skill “hidden”, so no agent may load it. Add it there, or remove it here.';
    assert.deepEqual(await found(['shown']), [`4 error ${why}`, `6 error ${why}`]);
  });

  it('must not start itself through the graphs beside it', async () => {
    const starting = (agent: string) =>
      `name: g\nversion: "1.1"\nstart: a\nnodes:\n  a: { type: agent, agent: ${agent}, prompt: p, next: z }\n  z: { type: end }\n`;
    await folder.write({
      'agents/one/graph.yaml': starting('two'),
      'agents/two/graph.yaml': starting('one'),
      'agents/three/graph.yaml': starting('two'),
    });
    const round = (agents: string) =>
      `error “a” starts this graph’s own agent again: ${agents}, which would never end. Name another agent.`;
    assert.deepEqual(await problemsIn('agents'), [
      3,
      [`agents/one/graph.yaml:5 ${round('one → two → one')}`, `agents/two/graph.yaml:5 ${round('two → one → two')}`],
    ]);
  });

  it('is either an agent or a graph', async () => {
    await folder.write({
      'agents/two/graph.yaml': graph('a: { type: llm, prompt: p, next: z }'),
      'agents/two/config.yaml': 'instructions: Help.',
    });
    assert.deepEqual(await problemsIn('agents'), [
      2,
      [
        'agents/two/graph.yaml:1 error The folder also has a config.yaml, which is used instead. Remove one of the two.',
      ],
    ]);
  });

  it('may be anywhere when it is named, without its surroundings being searched', async () => {
    await folder.write({ 'any/graph.yaml': graph('a: { type: agent, agent: beside, prompt: p, next: z }') });
    await folder.write({ 'beside.md': HELPER });
    assert.deepEqual(await problemsIn('any'), [
      1,
      ['any/graph.yaml:4 error There is no agent “beside”. Create it, or name another agent.'],
    ]);
  });

  it('does not read scripts outside of it, or links to them', async () => {
    await folder.write({
      'agents/flow/graph.yaml': graph(`a: { type: script, script: ../../../secret.sh, next: b }
b: { type: script, script: linked.sh, next: c }
c: { type: script, script: /etc/hostname, next: d }
d: { type: script, script: folder.sh, next: z }`),
      'agents/flow/folder.sh/x': '',
    });
    await mkdir(at('outside'));
    await folder.write({ 'outside/secret.sh': 'goes_nowhere' });
    const elsewhere = await temporaryFolder();
    try {
      await elsewhere.write({ 'secret.sh': '# _next: nowhere' });
      await symlink(path.join(elsewhere.path, 'secret.sh'), at('agents/flow/linked.sh'));
      const [, problems] = await problemsIn('agents/flow');
      assert.equal(problems.length, 5, problems.join('\n'));
      assert.match(problems[0] ?? '', /:4 warning .*secret\.sh is outside the agent’s folder/);
      assert.match(
        problems[1] ?? '',
        /:5 warning linked\.sh is a link to .*secret\.sh and cannot be read: .* is a link that leads out/,
      );
      assert.match(problems[2] ?? '', /:6 warning \/etc\/hostname is outside/);
      assert.match(problems[3] ?? '', /:6 warning The language of \/etc\/hostname is unknown/);
      assert.match(problems[4] ?? '', /:7 warning folder\.sh cannot be read: .* is a folder/);
    } finally {
      await elsewhere.remove();
    }
  });
});
