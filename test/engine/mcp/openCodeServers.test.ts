import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startText } from '../../../src/engine/mcp/mcpServer';
import { ServerFiles } from '../../../src/engine/mcp/readServers';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder, type TemporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const URL = 'https://tracker.example/mcp';
const TOKEN = { Authorization: 'Bearer {env:TRACKER_TOKEN}' };

describe('MCP servers in the settings of OpenCode', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  /** Reads servers from the user's settings and from those in a workspace. */
  const read = async (files: Record<string, object>, isWanted: (path: string) => boolean = () => true) => {
    const named = Object.entries(files).map(([path, mcp]) => [path, JSON.stringify({ mcp }, undefined, 1)] as const);
    await folder.write(Object.fromEntries(named));
    const programs = ['config.json', 'opencode.json'].map(
      (name) => ({ path: join(folder.path, 'home', name), key: 'mcp' }) as const,
    );
    const workspace = join(folder.path, 'work');
    const reader = new ServerFiles(join(folder.path, 'config'), ports, programs);
    const { servers, problems } = await reader.read({ workspace, isHeard: true }, isWanted);
    const shown = servers.map((one) => `${one.scope} ${one.id}: ${startText(one)}`.replaceAll(workspace, 'WORK'));
    return { servers, shown, problems: problems.map((one) => one.replace(workspace, 'WORK')) };
  };
  const shownIn = async (files: Record<string, object>) => {
    const { shown, problems } = await read(files);
    assert.deepEqual(problems, []);
    return shown;
  };

  it('are read as version 2 writes them, with its names for the sign-in', async () => {
    const oauth = { client_id: 'cairn', client_secret: '{{KEY}}', callback_port: 8080, scope: 'read' };
    const servers = {
      local: { type: 'local', command: ['npx', 'x'], cwd: '.', environment: { A: 'b' }, timeout: { startup: 1 } },
      remote: { type: 'remote', url: URL, oauth },
      off: { type: 'local', command: ['x'], disabled: true },
    };
    const {
      shown,
      servers: all,
      problems,
    } = await read({ 'work/opencode.json': { timeout: { startup: 9 }, servers } });
    assert.deepEqual(problems, []);
    assert.deepEqual(shown, [
      'workspace local: A=b npx x',
      `workspace remote: ${URL} (signs you in as cairn with {{KEY}}) (asks for the rights read) (sends you back to port 8080)`,
    ]);
    assert.deepEqual(
      all.map(({ source }) => source.line),
      [7, 21],
    );
  });

  it('may be called servers or timeout in version 1', async () => {
    const server = { type: 'local', command: ['x'] };
    assert.deepEqual(await shownIn({ 'work/opencode.json': { servers: server, timeout: server } }), [
      'workspace servers: x',
      'workspace timeout: x',
    ]);
  });

  it('are changed by what later files say, one field at a time', async () => {
    const files = {
      'work/opencode.json': { a: { type: 'local', command: ['x', '1'], environment: { A: '1', B: '1' } } },
      'work/opencode.jsonc': { a: { command: ['x', '2'] } },
      'work/.opencode/opencode.json': { a: { environment: { B: '3' } } },
    };
    assert.deepEqual(await shownIn(files), ['workspace a: A=1 B=3 x 2']);
  });

  it('are replaced whole by what version 2 says', async () => {
    const files = {
      'work/opencode.json': { a: { type: 'local', command: ['x', '1'], environment: { A: '1' } } },
      'work/.opencode/opencode.json': { servers: { a: { type: 'local', command: ['x', '2'] } } },
    };
    assert.deepEqual(await shownIn(files), ['workspace a: x 2']);
  });

  it('of the user are turned off by a workspace, and on as its own', async () => {
    const files = {
      'home/config.json': { a: { type: 'remote', url: URL, headers: TOKEN }, b: { type: 'local', command: ['y'] } },
      'home/opencode.json': { b: { enabled: false }, c: { type: 'local', command: ['z'], enabled: false } },
      'work/opencode.json': { a: { enabled: false }, b: { enabled: true } },
      'work/.opencode/opencode.json': { d: { enabled: false } },
    };
    assert.deepEqual(await shownIn(files), ['workspace b: y']);
  });

  it('stay the user’s where the workspace says the same', async () => {
    const files = {
      'home/opencode.json': { a: { type: 'remote', url: URL, headers: TOKEN } },
      'work/opencode.json': { a: { type: 'remote', url: URL, enabled: true } },
    };
    assert.deepEqual(await shownIn(files), [`program a: ${URL} 'Authorization: Bearer {env:TRACKER_TOKEN}'`]);
  });

  it('of the user become the workspace’s where it changes them, and then take no token elsewhere', async () => {
    const files = {
      'home/opencode.json': {
        a: { type: 'remote', url: URL, headers: TOKEN, oauth: { clientId: 'mine', clientSecret: '{{MINE}}' } },
        b: { type: 'local', command: ['y'], environment: { KEY: '{env:KEY}' } },
        c: { type: 'local', command: ['z'], environment: { KEY: '{env:KEY}' } },
        d: { type: 'local', command: ['z'], environment: { KEY: '{env:KEY}' } },
      },
      'work/opencode.json': {
        a: { url: 'https://other.example/mcp' },
        b: { command: ['./y'] },
        c: { environment: { NODE_OPTIONS: '--require=./x.js' } },
        d: { environment: { SOME: 'thing' } },
      },
      'work/.opencode/opencode.json': { d: { command: ['./z'] } },
    };
    const { shown, servers } = await read(files);
    assert.deepEqual(shown, [
      'workspace a: https://other.example/mcp',
      'workspace b: ./y',
      'workspace c: KEY={env:KEY} NODE_OPTIONS=--require=./x.js z',
      'workspace d: ./z',
    ]);
    assert.ok(servers.every(({ source }) => source.path.includes('work')));
  });

  it('of the user are known where a workspace changes them, even if none was allowed yet', async () => {
    const files = {
      'home/opencode.json': { a: { type: 'local', command: ['y'], enabled: false }, b: { command: ['z'] } },
      'work/opencode.json': { a: { enabled: true } },
    };
    const { shown, problems } = await read(files, () => false);
    assert.deepEqual([shown, problems], [['workspace a: y'], []]);
  });

  it('are reported with their line if nothing says what they start, or a file would have to be read', async () => {
    const files = {
      'work/opencode.json': {
        servers: {
          a: { disabled: false },
          b: { type: 'remote', url: URL, headers: { Authorization: 'Bearer {file:~/.token}' } },
        },
      },
    };
    const { shown, problems } = await read(files);
    assert.deepEqual(shown, []);
    assert.deepEqual(problems, [
      'WORK/opencode.json:4: the server “a” is left out: it needs a command, or a url.',
      'WORK/opencode.json:7: the server “b” is left out: it asks for the file “~/.token”, which Cairn does not read. Write {{NAME}} and store the value as a secret.',
    ]);
  });
});

describe('The folder of an MCP server', () => {
  it('is relative to the workspace', async () => {
    const folder = await temporaryFolder();
    try {
      const cwds = { a: 'packages/a', b: '.', c: '/elsewhere' };
      const mcpServers = Object.fromEntries(Object.entries(cwds).map(([id, cwd]) => [id, { command: 'x', cwd }]));
      await folder.write({ '.mcp.json': JSON.stringify({ mcpServers }) });
      const reader = new ServerFiles(join(folder.path, 'config'), ports);
      const { servers } = await reader.read({ workspace: folder.path, isHeard: true });
      assert.deepEqual(
        servers.map(({ launch, namesFolder = false }) => [launch.type === 'stdio' && launch.cwd, namesFolder]),
        [
          [join(folder.path, 'packages/a'), true],
          [folder.path, false],
          ['/elsewhere', true],
        ],
      );
    } finally {
      await folder.remove();
    }
  });
});
