import assert from 'node:assert/strict';
import path from 'node:path';
import type { AgentDefinition } from '../../../src/engine/agents/agentDefinition';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { type ContentProblem, MEMORY } from '../../../src/engine/content/contentProblem';
import type { ContentRoot } from '../../../src/engine/content/contentRoots';
import { EngineError } from '../../../src/engine/engineError';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loader = new AgentLoader(nodePorts({ env: process.env, ripgrepCandidates: [], log }));

describe('A Markdown agent', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function read(text: string, root: Partial<ContentRoot> = {}, more: Record<string, string> = {}) {
    await folder.write({ ...more, 'agents/a.md': text });
    const { items, problems } = await loader.readRoot({
      ...{ folder: path.join(folder.path, 'agents'), scope: 'workspace', world: 'cairn' },
      ...root,
    });
    return { agent: items.find(({ name }) => name === 'a'), problems };
  }

  const placed = (problems: readonly ContentProblem[]) =>
    problems.map(({ kind, severity, line, column }) => `${kind} ${severity} ${line}:${column}`);

  it('is reported at the location of an unknown tool that it switches', async () => {
    const { problems } = await read('---\ntools:\n  read: true\n  frobnicate: false\n---\nYou.', { world: 'opencode' });
    assert.deepEqual(placed(problems), ['schema warning 4:3']);
    assert.match(problems[0]?.message ?? '', /frobnicate/);
  });

  it('has the tools that were enabled after all of them were disabled', async () => {
    const switched = async (...lines: string[]) => {
      const text = `---\ntools:\n${lines.map((line) => `  ${line}\n`).join('')}---\nYou.`;
      const { agent } = await read(text, { world: 'opencode' });
      return [agent?.tools, agent?.rules.map(({ tool, action }) => `${action} ${tool}`)];
    };
    assert.deepEqual(await switched('"*": false'), [[], []]);
    assert.deepEqual(await switched('bash: false', '"*": false', 'read: true'), [['fs_read', 'fs_cat'], []]);
    const [tools, rules] = await switched('"*": false', 'bash: true', 'write: true', 'edit: false');
    assert.ok(tools?.includes('execute_command') && !tools.includes('fs_write'), tools?.join());
    assert.ok(rules?.includes('deny fs_write'), rules?.join());
  });

  it('is reported at the location of permissions that name an unknown tool', async () => {
    const list = '- action: raed\n    resource: "*"\n    effect: allow';
    const { problems } = await read(`---\ncolor: red\npermissions:\n  ${list}\n---\nYou.`);
    assert.ok(placed(problems).includes('schema warning 3:1'), JSON.stringify(problems));
    assert.match(problems.map(({ message }) => message).join(), /raed/);
  });

  it('is reported for an OpenCode tool that Cairn has no equivalent for', async () => {
    const text = '---\ndescription: A\ntools: [read, lsp]\n---\nYou.';
    const { agent, problems } = await read(text, { world: 'opencode' });
    assert.deepEqual([agent?.tools, placed(problems)], [['fs_read', 'fs_cat'], ['schema warning 3:1']]);
    assert.match(problems.map(({ message }) => message).join(), /“lsp” from OpenCode/);
  });

  it('is reported at a model without a provider, but still loads', async () => {
    const { agent, problems } = await read('---\ndescription: A\nmodel: sonnet\n---\nYou.', { world: 'opencode' });
    assert.deepEqual([agent?.model, placed(problems)], [undefined, ['schema warning 3:8']]);
  });

  it('has a preferred model when written for another program, and a required one when ours', async () => {
    const text = '---\nmodel: anthropic/claude\n---\nYou.';
    for (const [world, isWish] of [
      ['opencode', true],
      ['cairn', undefined],
    ] as const) {
      const { agent, problems } = await read(text, { world });
      assert.deepEqual([agent?.model !== undefined, agent?.modelIsWish, problems], [true, isWish, []]);
      assert.equal((await read('---\ncolor: red\n---\nYou.', { world })).agent?.modelIsWish, undefined);
    }
  });

  it('is reported for missing instructions, at their location', async () => {
    const { problems } = await read('---\ndescription: A\n---\n\n');
    assert.deepEqual(
      problems.map(({ line, column, severity }) => [line, column, severity]),
      [[4, 1, 'warning']],
    );
  });

  it('in memory without front matter is reported and not loaded', async () => {
    for (const text of ['You are nobody.', new TextEncoder().encode('You are nobody.')]) {
      const { agent, problems } = await loader.readText(text, 'a');
      assert.equal(agent, undefined);
      assert.deepEqual(
        problems.map((one) => [one.path, one.severity]),
        [[MEMORY, 'error']],
      );
    }
  });

  describe('with a graph', () => {
    const text = '---\ndescription: A\ngraph: flows/one.yaml\n---\n';
    const graph = 'name: one\nstart: end\nnodes: { end: { type: end } }';
    const load = ({ graph: found }: AgentDefinition) => found?.load() ?? assert.fail('it has none');

    it('loads the graph when it runs, and reports a missing one', async () => {
      const { agent, problems } = await read(text, { scope: 'user' }, { 'agents/flows/one.yaml': graph });
      assert.ok(agent);
      assert.deepEqual(problems, []);
      assert.ok(await load(agent));
      await folder.write({ 'agents/flows/one.yaml': 'nodes: [' });
      await assert.rejects(load(agent));
      await folder.remove();
      await assert.rejects(load(agent), (error) => EngineError.is(error, 'not-found'));
    });

    it('has no graph in a repository, and the problem says where to put it', async () => {
      const { agent, problems } = await read(text, {}, { 'agents/flows/one.yaml': graph });
      assert.equal(agent?.graph, undefined);
      assert.deepEqual(placed(problems), ['schema warning 3:1']);
      assert.match(problems[0]?.message ?? '', /graph\.yaml/);
    });
  });
});
