import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fillLaunch, givenInputs } from '../../../src/engine/mcp/running/fillLaunch';
import { startText } from '../../../src/engine/mcp/mcpServer';
import { parseServers } from '../../../src/engine/mcp/serverFiles';
import { isSecretName } from '../../../src/engine/secrets/secretNames';
import { repoRoot } from '../../editor/repoRoot';
import { withOneMcpServer } from '../../support/oneMcpServer';

const path = '/w/.vscode/mcp.json';

/** Parses a file with these inputs and the server `tides`, which has these arguments. */
function read(inputs: unknown, ...args: readonly string[]) {
  const text = JSON.stringify({ inputs, servers: { tides: { command: 'tides', args } } });
  return parseServers(text, { path, scope: 'workspace', key: 'servers', folder: '/w' });
}

function serverOf(...[inputs, ...args]: Parameters<typeof read>) {
  const { servers, problems } = read(inputs, ...args);
  return servers[0] ?? assert.fail(problems.join());
}

const secretsOf = (kept: Readonly<Record<string, string>>) => ({ get: (name: string) => Promise.resolve(kept[name]) });
const values = (kept: Readonly<Record<string, string>> = {}) => ({
  secrets: secretsOf(kept),
  environment: { DAY: 'Monday' },
  homeFolder: '/home',
});
const key = { id: 'key', type: 'promptString', description: 'Your\u202e key', password: true };

describe('Servers of two files with the same launch line', function () {
  this.timeout(60_000);

  it('are separate, each with the value given for its own file', () =>
    withOneMcpServer('none', async ({ servers, folder, setSecret }) => {
      const args = [join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs'), 'tells'];
      const tides = { command: process.execPath, args, cwd: repoRoot, env: { TIDES_TOKEN: '${input:key}' } };
      const toolsIn = async (workspace: string) => {
        await folder.write({
          [`${workspace}/.vscode/mcp.json`]: JSON.stringify({ inputs: [key], servers: { tides } }),
        });
        const place = { workspace: join(folder.path, workspace), isHeard: true };
        const server = (await servers.list(place)).servers.find(({ scope }) => scope === 'workspace') ?? assert.fail();
        setSecret(`input key of ${server.source.path}`, `value-of-${workspace}`);
        const { tools } = await servers.check(server, new AbortController().signal);
        return tools.map(({ tool }) => tool.name).join();
      };
      assert.equal(await toolsIn('harbour'), 'say_value-of-harbour');
      assert.equal(await toolsIn('island'), 'say_value-of-island');
    }));
});

describe('The envFile of a server', function () {
  this.timeout(60_000);

  it('sets variables, is shown and allowed with it, and needs approval again when it changes', () =>
    withOneMcpServer('none', async ({ servers, folder }) => {
      const args = [join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs'), 'tells'];
      const envFile = '${workspaceFolder}/.env';
      const tides = { command: process.execPath, args, cwd: repoRoot, envFile, env: { LEVEL: '2' } };
      const more = { away: { ...tides, envFile: '../config/.env' }, gone: { ...tides, envFile: 'none.env' } };
      await folder.write({
        'harbour/.vscode/mcp.json': JSON.stringify({ servers: { tides, ...more } }),
        'harbour/.env': 'TIDES_TOKEN=low {{TIDES}} # now\nGIT_ASKPASS=./ask\nLEVEL=1\n',
        'config/.env': 'TIDES_TOKEN=stolen\n',
      });
      const place = { workspace: join(folder.path, 'harbour'), isHeard: true };
      const listed = async () => {
        const { servers: all, problems } = await servers.list(place);
        return {
          server: all.find(({ id, scope }) => id === 'tides' && scope === 'workspace') ?? assert.fail(),
          problems,
        };
      };
      const { server, problems } = await listed();
      assert.match(
        startText(server),
        /^LEVEL=2 .*\(with TIDES_TOKEN=••• GIT_ASKPASS=\.\/ask LEVEL=1 of \S*\/harbour\/\.env\)$/,
      );
      assert.match(
        problems.join('\n'),
        /“away” is left out: its envFile cannot be read \(.*leads out of the workspace/,
      );
      assert.match(problems.join('\n'), /“gone” is left out: its envFile cannot be read/);
      await servers.consents.remember(server, true);
      const { tools } = await servers.check(server, new AbortController().signal);
      assert.deepEqual(
        tools.map(({ tool }) => tool.name),
        ['say_low {{TIDES}}'],
      );
      assert.equal((await listed()).server.consent.kind, 'allowed');
      await folder.write({ 'harbour/.env': 'TIDES_TOKEN=high\nGIT_ASKPASS=./ask\nLEVEL=1\n' });
      assert.equal((await listed()).server.consent.kind, 'changed');
    }));
});

describe('The inputs in a server file', () => {
  it('are requested even when only the sign-in needs one', async () => {
    const oauth = { clientId: 'cairn', clientSecret: '${input:key}' };
    const parse = (inputs: unknown) => {
      const text = JSON.stringify({
        inputs,
        servers: { tides: { type: 'http', url: 'https://tides.example', oauth } },
      });
      return parseServers(text, { path, scope: 'workspace', key: 'servers', folder: '/w' });
    };
    const server = parse([key]).servers[0] ?? assert.fail();
    assert.deepEqual(
      server.inputs?.map(({ id }) => id),
      ['key'],
    );
    const launch = await fillLaunch(server, values({ [`input key of ${path}`]: 'moon' }));
    assert.equal(launch.type !== 'stdio' && launch.oauth?.clientSecret, 'moon');
    assert.match(parse([]).problems.join(), /it asks for the input “key”/);
  });

  it('are requested by the servers that use them, and stored per file', () => {
    const level = {
      id: 'level',
      type: 'pickString',
      options: ['low', { label: 'High', value: 'high' }],
      default: 'low',
    };
    const { inputs = [] } = serverOf(
      [key, level, { id: 'other', type: 'promptString' }],
      '${input:key}',
      '-${input:level}',
    );
    assert.deepEqual(
      inputs.map(({ id, isHidden, options, fallback, secret }) => [id, isHidden, options, fallback, secret]),
      [
        ['key', true, [], undefined, `input key of ${path}`],
        ['level', false, ['low', 'high'], 'low', `input level of ${path}`],
      ],
    );
    assert.doesNotMatch(inputs[0]?.description ?? '', /\u202e/);
    assert.equal(serverOf([key], 'nothing').inputs, undefined);
    const odd = `/w/${'x'.repeat(300)}{\n}/mcp.json`;
    const file = { path: odd, scope: 'workspace', key: 'servers', folder: '/w' } as const;
    const text = JSON.stringify({ inputs: [key], servers: { one: { command: 'x', args: ['${input:key}'] } } });
    const [input] = parseServers(text, file).servers[0]?.inputs ?? [];
    assert.ok(isSecretName(input?.secret ?? ''));
  });

  it('replace their references once given, without expanding their values', async () => {
    const server = serverOf([key], '--key=${input:key}', '${env:DAY}');
    const kept = { [`input key of ${path}`]: '${env:DAY} {{key}} ${input:key}' };
    assert.deepEqual((await givenInputs(server, secretsOf(kept))).missing, []);
    const launch = await fillLaunch(server, values(kept));
    assert.ok(launch.type === 'stdio');
    assert.deepEqual(launch.args, ['--key=${env:DAY} {{key}} ${input:key}', 'Monday']);
  });

  it('that are missing are reported with their storage name, unless they have a default', async () => {
    const server = serverOf([key, { id: 'level', type: 'promptString', default: 'low' }], '${input:key}${input:level}');
    const { missing } = await givenInputs(server, secretsOf({}));
    assert.deepEqual(
      missing.map(({ id }) => id),
      ['key'],
    );
    await assert.rejects(
      fillLaunch(server, values()),
      /tides \(\/w\/\.vscode\/mcp\.json:1\) cannot be started: the input key was not given \(it is stored as “input key of /,
    );
  });

  it('disable a server that uses an undefined one, or one that would run a command', () => {
    for (const inputs of [
      undefined,
      'none',
      [7, { id: 'key' }],
      [{ id: 'key', type: 'command', command: 'rm' }],
      [{ id: 'key', type: 'promptString', description: 7 }],
    ]) {
      const { servers, problems } = read(inputs, '${input:key}');
      assert.equal(servers.length, 0);
      assert.match(problems.join(), /“tides” is left out: it asks for the input “key”, which Cairn does not ask for/);
    }
  });
});
