import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { AgentLoader, type AgentLoaderPorts } from '../../../src/engine/agents/agentLoader';
import { validateContent } from '../../../src/engine/authoring/validateContent';
import { problemLine } from '../../../src/engine/content/contentProblem';
import { EngineError } from '../../../src/engine/engineError';
import type { FileSystem } from '../../../src/engine/ports';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
const loader = new AgentLoader(ports);
const { signal } = new AbortController();
const words = (name: string) => `---\ndescription: ${name}\n---\nYou are ${name}.`;

describe('The agent loader', () => {
  let folder: TemporaryFolder;
  const at = (name: string) => path.join(folder.path, name);

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('reads agent/ and agents/ in any folder, except what .gitignore excludes', async () => {
    await folder.write({
      '.gitignore': 'agents/private/\nagent/draft.md\n',
      'agent/one.md': words('one'),
      'agent/draft.md': words('draft'),
      'agents/nested/two.md': words('two'),
      'agents/private/three.md': words('three'),
      'agents/four/config.yaml': 'description: four\ninstructions: You are four.',
      'elsewhere/five.md': words('five'),
      'README.md': words('six'),
    });
    const { items, problems } = await loader.readDirectory(folder.path, signal);
    assert.deepEqual(problems, []);
    assert.deepEqual(items.map(({ name }) => name).sort(), ['four', 'nested/two', 'one']);
    for (const { source } of items) assert.deepEqual([source.scope, source.world], ['workspace', 'opencode']);
  });

  it('reads files in name order, whatever order they were found in', async () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => `agents/${name}.md`);
    await folder.write(Object.fromEntries(names.map((name) => [name, words(name)])));
    const found = (paths: string[]): AgentLoaderPorts['search'] => ({
      ...ports.search,
      glob: () => Promise.resolve({ paths, complete: true }),
    });
    const all = names.map(at);
    for (const paths of [all, all.toReversed()]) {
      const read = await new AgentLoader({ ...ports, search: found(paths) }).readDirectory(folder.path, signal);
      assert.deepEqual(
        read.items.map(({ name }) => name),
        ['a', 'b', 'c', 'd'],
      );
    }
  });

  for (const [world, end, rights] of [
    ['opencode', '.md', ['tools', 'permission', 'permissions', 'mode', 'hidden', 'disable', 'disabled', 'skills']],
    ['claude', '.md', ['tools', 'disallowedTools']],
    [
      'copilot',
      '.agent.md',
      ['tools', 'agents', 'user-invocable', 'user-invokable', 'disable-model-invocation', 'infer'],
    ],
    ['gemini', '.md', ['kind', 'tools', 'max_turns', 'timeout_mins']],
  ] as const)
    it(`drops an agent with unreadable permissions but skips other invalid keys: ${world}`, async () => {
      const file = (key: string) => `---\nname: ${key}\ndescription: d\n${key}: { a: { b: 1 } }\n---\nYou.`;
      const all = ['temperature', ...rights].map((key): [string, string] => [`agents/${key}${end}`, file(key)]);
      await folder.write(Object.fromEntries(all));
      const { items, problems } = await loader.readRoot({ folder: at('agents'), scope: 'workspace', world });
      assert.deepEqual(
        items.map(({ name }) => name),
        ['temperature'],
      );
      for (const key of rights)
        assert.ok(
          problems.some(({ path: where, severity }) => severity === 'error' && where.includes(`${key}.`)),
          key,
        );
    });

  it('reads a single file, with the name and conventions of its path', async () => {
    const claude = '---\nname: c\ndescription: C\ntools: Read\n---\nYou.';
    await folder.write({
      '.claude/agents/team/c.md': claude,
      '.github/agents/helper.agent.md': words('helper'),
      '.copilot/agents/second.agent.md': words('second'),
      '.opencode/agent/deep/agents/o.md': words('o'),
      '.cairn/agents/mine.md': words('mine'),
      'agents/big/config.yaml': 'description: big\ninstructions: You are big.',
      'lonely.md': words('lonely'),
    });
    const read = async (name: string) => {
      const { items, problems } = await loader.readFile(at(name));
      assert.deepEqual(problems, [], name);
      assert.ok(items.every(({ source }) => source.scope === 'workspace'));
      return items.map(({ name: called, source }) => [called, source.world]);
    };
    assert.deepEqual(await read('.claude/agents/team/c.md'), [['c', 'claude']]);
    assert.deepEqual(await read('.github/agents/helper.agent.md'), [['helper', 'copilot']]);
    assert.deepEqual(await read('.copilot/agents/second.agent.md'), [['second', 'copilot']]);
    assert.deepEqual(await read('.opencode/agent/deep/agents/o.md'), [['deep/agents/o', 'opencode']]);
    assert.deepEqual(await read('.cairn/agents/mine.md'), [['mine', 'cairn']]);
    assert.deepEqual(await read('agents/big/config.yaml'), [['big', 'cairn']]);
    assert.deepEqual(await read('lonely.md'), [['lonely', 'cairn']]);
  });

  it('reports a missing file as a problem but not a missing folder', async () => {
    const missing = await loader.readFile(at('agents/none.md'));
    assert.deepEqual(missing.items, []);
    assert.deepEqual(
      missing.problems.map(({ kind, severity }) => [kind, severity]),
      [['io', 'error']],
    );
    const root = { folder: at('agents'), scope: 'user', world: 'cairn' } as const;
    assert.deepEqual(await loader.readRoot(root), { items: [], problems: [] });
    await symlink('round', at('round'));
    const { items, problems } = await loader.readRoot({ ...root, folder: at('round') });
    assert.deepEqual([items, problems.map(({ kind, path: where }) => [kind, where])], [[], [['io', at('round')]]]);
  });

  it('reads a shared agents folder, in which a folder with a config.yaml is an agent', async () => {
    await folder.write({ 'big/config.yaml': 'description: big\ninstructions: You are big.', 'one.md': words('one') });
    const { items, problems } = await loader.readRoot({ folder: folder.path, scope: 'user', world: 'shared' });
    assert.deepEqual([items.map(({ name }) => name).sort(), problems], [['big', 'one'], []]);
  });

  it('reads an agent from memory like one of the workspace', async () => {
    const { agent } = await loader.readText(words('one'), 'one');
    assert.deepEqual([agent?.name, agent?.source.scope], ['one', 'workspace']);
  });

  it('skips ignored files when validating, unless they are named or linked to', async () => {
    await folder.write({
      '.gitignore': 'build\n',
      'build/agents/broken.md': '---\nbad: [\n---\nx',
      'agents/good.md': words('good'),
    });
    assert.deepEqual(await validateContent(folder.path, ports), { files: 1, problems: [] });
    assert.equal((await validateContent(at('build'), ports)).problems.length, 1);
    await mkdir(at('.cairn'));
    await symlink(at('build/agents'), at('.cairn/agents'));
    assert.equal((await validateContent(folder.path, ports)).problems.length, 1);
  });

  it('stops at circular links, and lists each agent once per path', async () => {
    await folder.write({ '.cairn/agents/a/one.md': words('one'), '.cairn/agents/b/two.md': words('two') });
    await symlink(at('.cairn'), at('.cairn/agents/up'));
    await symlink(at('.cairn/agents/b'), at('.cairn/agents/a/over'));
    await symlink(at('.cairn/agents/a'), at('.cairn/agents/b/over'));
    const root = { folder: at('.cairn/agents'), scope: 'workspace', world: 'cairn' } as const;
    const { items, problems } = await loader.readRoot(root);
    assert.deepEqual(problems, []);
    assert.deepEqual(items.map(({ name }) => name).sort(), ['a/one', 'a/over/two', 'b/over/one', 'b/two']);
    assert.deepEqual(await validateContent(folder.path, ports), { files: 4, problems: [] });
  });

  it('reports an unreadable folder and still reads the rest', async () => {
    await folder.write({ '.cairn/agents/one.md': words('one'), '.cairn/agents/shut/two.md': words('two') });
    const shut = at('.cairn/agents/shut');
    const refusing: FileSystem = {
      ...ports.files,
      readDirectory: (name) =>
        name === shut
          ? Promise.reject(new EngineError('denied', `${name} may not be read.`))
          : ports.files.readDirectory(name),
    };
    const root = { folder: at('.cairn/agents'), scope: 'workspace', world: 'cairn' } as const;
    const read = await new AgentLoader({ ...ports, files: refusing }).readRoot(root);
    assert.deepEqual(
      read.items.map(({ name }) => name),
      ['one'],
    );
    assert.deepEqual(read.problems.map(problemLine), [`${shut}:1:1: error: ${shut} may not be read.`]);
    const checked = await validateContent(folder.path, { ...ports, files: refusing });
    assert.deepEqual([checked.files, checked.problems.length], [1, 1]);
  });

  it('rejects the graph of a folder that also has a config.yaml', async () => {
    await folder.write({
      'agents/both/config.yaml': 'instructions: You help.',
      'agents/both/graph.yaml': 'name: both\nstart: end\nnodes: { end: { type: end } }',
    });
    const { items, problems } = await loader.readRoot({ folder: at('agents'), scope: 'user', world: 'cairn' });
    assert.deepEqual(
      items.map(({ graph }) => graph),
      [undefined],
    );
    assert.match(problems.map(problemLine).join(), /graph\.yaml:1:1: error: The folder also has a config\.yaml/);
  });

  it('treats each folder with a config.yaml as one agent, without its notes and assets', async () => {
    await folder.write({
      'agents/helper/config.yaml': 'description: h\ninstructions: You help.',
      'agents/helper/notes.md': 'Words.',
      'agents/helper/assets/config.yaml': 'port: 80',
      'agents/graph/graph.yaml': 'name: other\nstart: end\nnodes: { end: { type: end } }',
      'agents/graph/notes.md': 'Words.',
      'agents/config.yaml': 'stray: true',
      'agents/plain.md': words('plain'),
    });
    const { items, problems } = await loader.readRoot({ folder: at('agents'), scope: 'user', world: 'cairn' });
    assert.deepEqual(problems, []);
    assert.deepEqual(items.map(({ name }) => name).sort(), ['graph', 'helper', 'plain']);
    const checked = await validateContent(folder.path, ports);
    assert.deepEqual(
      checked.problems.map((problem) => problemLine(problem).replace(`${folder.path}/`, '')),
      [],
    );
  });
});

describe('Malicious front matter', () => {
  it('is reported and never breaks the parser', async () => {
    const deep = `---\nvariables: ${'['.repeat(20_000)}\n---\nYou.`;
    const bomb = `---\na: &a [x, x, x, x]\n${'bcdefghij'
      .split('')
      .map(
        (key, index) =>
          `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefghi'.charAt(index)}`).join(', ')}]`,
      )
      .join('\n')}\n---\nYou.`;
    for (const text of [deep, bomb]) {
      const { agent, problems } = await loader.readText(text, 'a');
      assert.equal(agent, undefined);
      assert.equal(problems[0]?.kind, 'parse');
    }
  });

  it('may contain keys that are names of object properties', async () => {
    const { agent, problems } = await loader.readText(
      '---\n__proto__: {a: 1}\nconstructor: x\ntoString: y\n---\nYou.',
      'a',
    );
    assert.ok(agent && problems.every(({ severity }) => severity !== 'error'));
    assert.equal(agent.name, 'a');
  });
});
