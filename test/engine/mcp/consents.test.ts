import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillLaunch, type LaunchValues } from '../../../src/engine/mcp/running/fillLaunch';
import { Manifests } from '../../../src/engine/mcp/running/keptByLaunch';
import { McpConsents } from '../../../src/engine/mcp/mcpChoices';
import type { McpLaunch, McpServer } from '../../../src/engine/mcp/mcpServer';
import { ServerFiles } from '../../../src/engine/mcp/readServers';
import { EngineError } from '../../../src/engine/engineError';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const stdio = { type: 'stdio', command: 'npx', args: ['x'], cwd: '/w', env: { A: '1', B: '2' } } as const;

const serverOf = (launch: McpLaunch = stdio, more: Partial<McpServer> = {}): McpServer => ({
  ...{ id: 'tides', name: 'tides', scope: 'workspace', offerOf: {}, launch },
  source: { path: '/w/.mcp.json', line: 3 },
  ...more,
});

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('Consent to start an MCP server', () => {
  const consents = () => new McpConsents(join(folder.path, 'config'), ports);
  const kindOf = async (server: McpServer, all = consents()) => (await all.stateOf(server)).kind;

  it('applies to exactly one launch, also after a restart', async () => {
    const all = consents();
    assert.equal(await kindOf(serverOf(), all), 'unasked');
    await all.remember(serverOf(), true);
    assert.equal(await kindOf(serverOf(), all), 'allowed');
    assert.equal(await kindOf(serverOf()), 'allowed');
    assert.equal(await kindOf(serverOf({ ...stdio, env: { B: '2', A: '1' } })), 'allowed', 'in another order');
    for (const other of [
      { ...stdio, command: 'other' },
      { ...stdio, args: ['y'] },
      { ...stdio, args: [] },
      { ...stdio, cwd: '/other' },
      { ...stdio, env: { A: '1' } },
      { ...stdio, env: { A: '1', B: '3' } },
      { type: 'http', url: 'https://example.com', headers: {} } as const,
    ])
      assert.deepEqual(await consents().stateOf(serverOf(other)), { kind: 'changed', before: 'A=1 B=2 npx x' });
  });

  it('is needed again for a denied server whose launch changed', async () => {
    const all = consents();
    await all.remember(serverOf(), false);
    assert.equal(await kindOf(serverOf(), all), 'denied');
    assert.equal(await kindOf(serverOf({ ...stdio, args: [] }), all), 'unasked');
    await all.remember(serverOf(), true);
    assert.equal(await kindOf(serverOf(), all), 'allowed', 'the last answer counts');
    const text = await readFile(join(folder.path, 'config/mcp-consents.json'), 'utf8');
    assert.equal(text.match(/"allowed"/g)?.length, 1);
  });

  it('applies to one server in one file only', async () => {
    const all = consents();
    const elsewhere = { source: { path: '/other/.mcp.json', line: 3 } };
    await all.remember(serverOf(), true);
    assert.equal(await kindOf(serverOf(stdio, elsewhere), all), 'unasked');
    assert.equal(await kindOf(serverOf(stdio, { id: 'other' }), all), 'unasked');
    await all.remember(serverOf(stdio, elsewhere), false);
    await all.remember(serverOf(stdio, { id: 'other' }), false);
    assert.equal(await kindOf(serverOf(), all), 'allowed', 'those beside it stay');
  });

  it("is not needed for the user's own servers", async () => {
    assert.equal(await kindOf(serverOf(stdio, { scope: 'person' })), 'allowed');
  });

  it('is needed again for other headers or another identity', async () => {
    const all = consents();
    const http = { type: 'http', url: 'https://example.com', headers: { K: 'v' } } as const;
    await all.remember(serverOf(http), true);
    assert.equal(await kindOf(serverOf(http), all), 'allowed');
    for (const other of [
      { ...http, type: 'sse' } as const,
      { ...http, url: 'https://example.org' },
      { ...http, headers: {} },
      { ...http, oauth: { clientId: 'me' } },
    ])
      assert.equal(await kindOf(serverOf(other), all), 'changed');
  });

  it('covers the default of an input that is never asked for', async () => {
    const all = consents();
    const starting = (fallback: string | undefined) => {
      const input = { id: 'script', description: '', isHidden: false, options: [], secret: 's', fallback };
      return serverOf({ ...stdio, args: ['${input:script}'] }, { inputs: [input] });
    };
    await all.remember(starting('say hello'), true);
    assert.equal(await kindOf(starting('say hello'), all), 'allowed');
    assert.deepEqual(await all.stateOf(starting('delete all')), {
      kind: 'changed',
      before: "A=1 B=2 npx '${input:script}' (${input:script} is 'say hello' unless another value is given)",
    });
    assert.equal(await kindOf(starting(undefined), all), 'changed', 'from now on the user is asked');
  });

  it('is unavailable while its file is damaged, which is reported with the path', async () => {
    await folder.write({ 'config/mcp-consents.json': '{"servers": [7]}' });
    const told = (error: unknown) =>
      EngineError.is(error, 'damaged') &&
      /mcp-consents\.json:\d+: .+ Correct the file or delete it\. Until then, no MCP server of a workspace is started/.test(
        error.message,
      );
    await assert.rejects(consents().stateOf(serverOf()), told);
    await assert.rejects(consents().remember(serverOf(), true), told);
    assert.equal(await readFile(join(folder.path, 'config/mcp-consents.json'), 'utf8'), '{"servers": [7]}');
    await folder.write({ 'config/mcp-consents.json': 'oops' });
    await assert.rejects(consents().stateOf(serverOf()), told);
  });

  it('is reloaded when another window changes it', async () => {
    const [one, other] = [consents(), consents()];
    assert.equal(await kindOf(serverOf(), one), 'unasked');
    await other.remember(serverOf(), true);
    assert.equal(await kindOf(serverOf(), one), 'allowed');
    await other.remember(serverOf(), false);
    await utimes(join(folder.path, 'config/mcp-consents.json'), new Date(), new Date(Date.now() + 5000));
    assert.equal(await kindOf(serverOf(), one), 'denied');
  });
});

describe('The cached manifest of a server', () => {
  const known = {
    tools: [{ name: 'a', description: 'b', parameters: { type: 'object' } }],
    instructions: 'Be kind.',
    resources: [],
    prompts: [],
    freshUntil: 7,
  };
  const [one, other] = [serverOf(), serverOf({ ...stdio, args: ['other'] })];
  const manifests = () => new Manifests(join(folder.path, 'manifests'), ports);
  const keptIn = async () => {
    const [name = '', ...more] = await readdir(join(folder.path, 'manifests'));
    assert.deepEqual(more, []);
    return `manifests/${name}`;
  };

  it('persists across restarts, and is ignored when its file is damaged', async () => {
    const first = manifests();
    assert.equal(await first.get(one), undefined);
    await first.keep(one, known);
    for (const from of [first, manifests()]) assert.deepEqual((await from.get(one))?.tools, known.tools);
    assert.equal(await manifests().get(other), undefined);
    const file = await keptIn();
    const text = await readFile(join(folder.path, file), 'utf8');
    const tool = (more: object) => JSON.stringify({ ...JSON.parse(text), tools: [{ ...known.tools[0], ...more }] });
    for (const parameters of [7, [], {}, { type: 'object', required: 'a' }, { type: 'object', properties: { a: 7 } }]) {
      await folder.write({ [file]: tool({ parameters }) });
      assert.equal(await manifests().get(one), undefined, JSON.stringify(parameters));
    }
    for (const damaged of ['{', '7', text.replace('"tools":[', '"tools":[7,'), text.replace('"id"', '"name"')]) {
      await folder.write({ [file]: damaged });
      assert.equal(await manifests().get(one), undefined, damaged);
    }
    await folder.write({ [file]: tool({}) });
    assert.deepEqual((await manifests().get(one))?.tools, known.tools);
  });

  it('is not used for a server that its file does not name, even if their checksums are equal', async () => {
    const elsewhere = { ...one, source: { ...one.source, path: '/elsewhere/.mcp.json' } };
    for (const forged of [elsewhere, { ...one, id: 'other' }]) {
      await rm(join(folder.path, 'manifests'), { recursive: true, force: true });
      await manifests().keep(forged, known);
      const file = await keptIn();
      const text = await readFile(join(folder.path, file), 'utf8');
      await rm(join(folder.path, file));
      await manifests().keep(one, { ...known, instructions: 'Mine.' });
      await folder.write({ [await keptIn()]: text });
      assert.equal(await manifests().get(one), undefined);
    }
  });

  it('is written only when it changes', async () => {
    const all = manifests();
    await all.keep(one, known);
    const path = join(folder.path, await keptIn());
    await writeFile(path, 'mine');
    await all.keep(one, { ...known });
    assert.equal(await readFile(path, 'utf8'), 'mine');
    await all.keep(one, { ...known, instructions: '' });
    assert.match(await readFile(path, 'utf8'), /"instructions":""/);
  });
});

describe('The expansion of a launch', () => {
  const values: LaunchValues = {
    secrets: { get: (name) => Promise.resolve(name === 'KEY' ? 'k-1 ${HOME_TOWN} {{KEY}}' : undefined) },
    environment: { HOME_TOWN: 'Oslo', EMPTY: '', HIDDEN: '{{KEY}} ${HOME_TOWN}' },
    homeFolder: '/home/me',
  };
  const filled = (launch: McpLaunch) => fillLaunch(serverOf(launch), values);
  const word = async (text: string) => {
    const launch = await filled({ ...stdio, args: [text] });
    return launch.type === 'stdio' ? launch.args[0] : undefined;
  };

  it('replaces variables and secrets in all common notations', async () => {
    assert.equal(await word('in ${env:HOME_TOWN}, ${HOME_TOWN} and {env:HOME_TOWN}!'), 'in Oslo, Oslo and Oslo!');
    assert.equal(await word('${NOT_SET:-there} ${EMPTY:-there} ${HOME_TOWN:-there}'), 'there there Oslo');
    assert.equal(await word('${NOT_SET:-}'), '');
    assert.equal(await word('${userHome}/x ${env:userHome}'), '/home/me/x /home/me');
    assert.equal(await word('a {{ KEY }} b'), 'a k-1 ${HOME_TOWN} {{KEY}} b', 'a value is not looked at again');
    assert.equal(await word('${HIDDEN}'), '{{KEY}} ${HOME_TOWN}');
    assert.equal(await word('plain $HOME_TOWN'), 'plain $HOME_TOWN');
  });

  it('covers everything that is started or contacted', async () => {
    const town = '${HOME_TOWN}';
    assert.deepEqual(
      await filled({ type: 'stdio', command: town, args: ['a', town], cwd: `/${town}`, env: { [town]: town } }),
      { type: 'stdio', command: 'Oslo', args: ['a', 'Oslo'], cwd: '/Oslo', env: { [town]: 'Oslo' } },
    );
    const http = { type: 'http', url: `https://${town}`, headers: { K: town } } as const;
    assert.deepEqual(await filled(http), { type: 'http', url: 'https://Oslo', headers: { K: 'Oslo' } });
    assert.deepEqual(await filled({ ...http, oauth: { clientId: town, clientSecret: town } }), {
      ...{ type: 'http', url: 'https://Oslo', headers: { K: 'Oslo' } },
      oauth: { clientId: town, clientSecret: 'Oslo' },
    });
    assert.deepEqual((await filled({ ...http, oauth: { scope: 'x' } })) satisfies McpLaunch, {
      ...{ type: 'http', url: 'https://Oslo', headers: { K: 'Oslo' } },
      oauth: { scope: 'x' },
    });
  });

  it('fails when values are missing, naming all of them with their location (P-8.1)', async () => {
    const text = '${NOT_SET} ${EMPTY} {{NOPE}} {{NOPE}}';
    await assert.rejects(filled({ ...stdio, args: [text], command: '{{OTHER}}' }), (error) => {
      assert.ok(EngineError.is(error, 'not-found'));
      assert.match(error.message, /^The MCP server tides \(\/w\/\.mcp\.json:3\) cannot be started: /);
      for (const what of ['the variable NOT_SET is not set', 'there is no secret NOPE', 'there is no secret OTHER'])
        assert.equal(error.message.split(what).length, 2, what);
      return true;
    });
    const homeless = { ...values, homeFolder: undefined };
    await assert.rejects(fillLaunch(serverOf({ ...stdio, args: ['${userHome}'] }), homeless), /userHome is not set/);
  });
});

describe('MCP server files', () => {
  const files = (servers: Record<string, string>, key = 'mcpServers') =>
    JSON.stringify({ [key]: Object.fromEntries(Object.entries(servers).map(([id, command]) => [id, { command }])) });
  const read = async (isHeard = true) => {
    const found = await new ServerFiles(join(folder.path, 'config'), ports).read({ workspace: folder.path, isHeard });
    const commands = found.servers.map(({ id, launch }) => `${id} ${launch.type === 'stdio' ? launch.command : ''}`);
    return { ...found, commands };
  };

  it('include those of the user and of the workspace, with later ones taking precedence', async () => {
    await folder.write({
      'config/mcp.json': files({ a: 'mine', own: 'mine' }),
      'opencode.json': files({ a: 'opencode', b: 'opencode', e: 'opencode' }, 'mcp'),
      'opencode.jsonc': `// With comments.\n${files({ e: 'commented', f: 'commented' }, 'mcp')}`,
      '.opencode/opencode.json': files({ f: 'inner', g: 'inner' }, 'mcp'),
      '.opencode/opencode.jsonc': `${files({ g: 'both' }, 'mcp').slice(0, -1)},}`,
      '.vscode/mcp.json': files({ b: 'vscode', c: 'vscode' }, 'servers'),
      '.mcp.json': files({ c: 'root', d: 'root' }),
      '.cairn/mcp.json': files({ d: 'cairn' }),
    });
    const { servers, commands } = await read();
    const theirs = ['b vscode', 'e commented', 'f inner', 'g both', 'c root', 'd cairn'];
    assert.deepEqual(commands, ['a opencode', 'own mine', ...theirs]);
    assert.deepEqual(
      servers.map(({ scope }) => scope),
      ['workspace', 'person', ...theirs.map(() => 'workspace')],
    );
    assert.deepEqual((await read(false)).commands, ['a mine', 'own mine'], 'where the folder is not trusted');
  });

  it("include the user's files from other programs, which come last and are allowed once for all folders", async () => {
    const server = (command: string) => ({ [command]: { command }, same: { command } });
    const state = (more: object) => JSON.stringify({ mcpServers: { ...server('code'), broken: 7 }, ...more });
    const [here, there] = [join(folder.path, 'here'), join(folder.path, 'there')];
    await folder.write({
      'claude.json': state({ projects: { [here]: { mcpServers: { mine: { command: 'mine' } } } } }),
      'desktop.json': JSON.stringify({ mcpServers: server('desktop') }),
      'large.json': JSON.stringify({ mcpServers: server('large'), history: 'x'.repeat(9_000_000) }),
      'config/mcp.json': JSON.stringify({ mcpServers: { code: { command: 'own' } } }),
    });
    const files = new ServerFiles(join(folder.path, 'config'), ports, [
      { path: join(folder.path, 'desktop.json'), folder: '/home' },
      { path: join(folder.path, 'claude.json'), hasProjects: true },
      { path: join(folder.path, 'large.json') },
      { path: join(folder.path, 'none.json') },
    ]);
    const read = async (workspace: string) => {
      const { servers, problems } = await files.read({ workspace, isHeard: false });
      assert.match(problems.join('|'), /^[^|]*large\.json is larger than 8 MB, so its MCP servers are not read\./);
      return servers;
    };
    const shown = (await read(here)).map(({ id, scope, launch }) => [
      ...[id, scope],
      launch.type === 'stdio' && [launch.command, launch.cwd],
    ]);
    assert.deepEqual(shown, [
      ['desktop', 'program', ['desktop', '/home']],
      ['same', 'program', ['code', here]],
      ['code', 'person', ['own', here]],
      ['mine', 'program', ['mine', here]],
    ]);
    const consents = new McpConsents(join(folder.path, 'config'), ports);
    const find = async (workspace: string) => (await read(workspace)).find(({ id }) => id === 'same') ?? assert.fail();
    assert.equal((await consents.stateOf(await find(here))).kind, 'unasked');
    await consents.remember(await find(here), true);
    assert.equal((await consents.stateOf(await find(there))).kind, 'allowed');
    assert.ok(!(await read(there)).some(({ id }) => id === 'mine'));
    const unread = await files.read({ workspace: here, isHeard: false }, () => false);
    assert.deepEqual(
      unread.servers.map(({ id }) => id),
      ['code'],
      'only the file of Cairn',
    );
    assert.deepEqual([...(await consents.allowedFiles())], [join(folder.path, 'claude.json')]);
  });

  it('are reloaded only when they change', async () => {
    const all = new ServerFiles(join(folder.path, 'config'), ports);
    const place = { workspace: folder.path, isHeard: true };
    assert.deepEqual((await all.read(place)).servers, []);
    await folder.write({ '.mcp.json': files({ a: 'one' }) });
    const first = (await all.read(place)).servers[0];
    assert.equal((await all.read(place)).servers[0]?.launch, first?.launch);
    await folder.write({ '.mcp.json': files({ a: 'another' }) });
    const [server] = (await all.read(place)).servers;
    assert.ok(server?.launch.type === 'stdio' && server.launch.command === 'another');
    const elsewhere = { workspace: join(folder.path, 'config'), isHeard: true };
    assert.deepEqual((await all.read(elsewhere)).servers, []);
  });

  it('affect nothing else when they cannot be read', async () => {
    await folder.write({ '.mcp.json/x': '', 'config/mcp.json': files({ own: 'mine' }) });
    const { commands, problems } = await read();
    assert.deepEqual(commands, ['own mine']);
    assert.match(problems.join(), /\.mcp\.json.* None of its MCP servers are available\./);
  });
});
