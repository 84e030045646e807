import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { checkGraph } from '../../../src/engine/authoring/graphs/checkGraph';
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
      'project/.cairn/agents/flow/graph.yaml': `${graph(nodes)}mcp_servers: [web, none]\n`,
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
      problems.map(({ message }) => message),
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
      return problems.flatMap(({ message }) => /server “(.*?)”/.exec(message)?.[1] ?? []);
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
      assert.match(problems[1] ?? '', /:5 warning linked\.sh cannot be read: .* is a link that leads out/);
      assert.match(problems[2] ?? '', /:6 warning \/etc\/hostname is outside/);
      assert.match(problems[3] ?? '', /:6 warning The language of \/etc\/hostname is unknown/);
      assert.match(problems[4] ?? '', /:7 warning folder\.sh cannot be read: .* is a folder/);
    } finally {
      await elsewhere.remove();
    }
  });
});
