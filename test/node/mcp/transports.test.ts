import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpLaunch } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { repoRoot } from '../../editor/repoRoot';
import { EVERYTHING, everythingAt, freePort } from '../../support/everythingServer';
import { isGone } from '../../support/isGone';
import { memorySignIns } from '../../support/memorySignIns';
import { temporaryFolder } from '../temporaryFolder';

const { signal } = new AbortController();
const quiet = {
  timeoutMs: 30_000,
  secrets: [],
  onSaid: () => undefined,
  onEnd: () => undefined,
  onListsChanged: () => undefined,
};
const signIns = memorySignIns();
const connector = (env: NodeJS.ProcessEnv = process.env) => nodeMcpConnector({ env, fetch, signIns });
const connect = (launch: McpLaunch) => connector().connect(launch, quiet, signal);
const sum = { a: 20, b: 22 };

const reached = async (kind: 'streamableHttp' | 'sse', use: (port: number) => Promise<void>) => {
  const port = await freePort();
  await everythingAt(kind, port, () => use(port));
};

describe('An MCP server', function () {
  this.timeout(60_000);

  const answers = async (launch: McpLaunch) => {
    const link = await connect(launch);
    try {
      assert.ok(link.abilities.has('tools'));
      assert.match(JSON.stringify(await link.listTools(undefined, signal)), /"get-sum"/);
      const progress: string[] = [];
      const options = { signal, timeoutMs: 20_000, onProgress: (text: string) => progress.push(text) };
      assert.match(JSON.stringify(await link.callTool('get-sum', sum, options)), /is 42/);
      await link.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, options);
      assert.ok(progress.length > 0);
    } finally {
      await link.close();
    }
  };

  it('answers over stdio', () =>
    answers({ type: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'], cwd: repoRoot, env: {} }));

  it('answers over streamable HTTP', () =>
    reached('streamableHttp', (port) => answers({ type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })));

  it('answers over the older transport', () =>
    reached('sse', (port) => answers({ type: 'sse', url: `http://127.0.0.1:${port}/sse`, headers: {} })));

  it('that ends in the middle of a line has all of it in its log', async () => {
    const said: string[] = [];
    const onSaid = (_: string, line: string) => void said.push(line);
    const args = ['-e', "process.stderr.write('one\\nno end')"];
    const launch = { type: 'stdio', command: process.execPath, args, cwd: repoRoot, env: {} } as const;
    await assert.rejects(connector().connect(launch, { ...quiet, onSaid }, signal), /It last said: one\nno end/);
    assert.deepEqual(said, ['one', 'no end']);
  });

  it('is notified when a call is cancelled', async () => {
    const launch = {
      type: 'stdio',
      command: process.execPath,
      args: [EVERYTHING, 'stdio'],
      cwd: repoRoot,
      env: {},
    } as const;
    const link = await connect(launch);
    const abort = new AbortController();
    const options = { signal: abort.signal, timeoutMs: 60_000, onProgress: () => abort.abort() };
    await assert.rejects(link.callTool('trigger-long-running-operation', { duration: 60, steps: 600 }, options), {
      name: 'AbortError',
    });
    assert.match(JSON.stringify(await link.callTool('get-sum', sum, { ...options, signal })), /is 42/);
    await link.close();
  });

  it('gets no secrets from the environment, only what its launch configures', async () => {
    const env = { ...process.env, OPENAI_API_KEY: 'sk-very-secret-key' };
    const launch: McpLaunch = {
      type: 'stdio',
      command: process.execPath,
      args: [EVERYTHING, 'stdio'],
      cwd: repoRoot,
      env: { LEVEL: 'seven' },
    };
    const link = await connector(env).connect(launch, quiet, signal);
    const told = JSON.stringify(
      await link.callTool('get-env', {}, { signal, timeoutMs: 20_000, onProgress: () => undefined }),
    );
    assert.match(told, /LEVEL/);
    assert.doesNotMatch(told, /sk-very-secret-key/);
    await link.close();
  });

  it('is reported if it cannot be started or reached, or does not answer in time (P-8.1)', async () => {
    const launch = { type: 'stdio', cwd: repoRoot, env: {} } as const;
    await assert.rejects(
      connect({ ...launch, command: 'no-such-program', args: [] }),
      /no-such-program cannot be started/,
    );
    await assert.rejects(connect({ type: 'http', url: `http://127.0.0.1:${await freePort()}/`, headers: {} }));
    const silent = [join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs'), 'hangs'];
    const late = connector().connect(
      { ...launch, command: process.execPath, args: silent },
      { ...quiet, timeoutMs: 300 },
      signal,
    );
    await assert.rejects(late, /did not answer in time/);
  });

  it('leaves nothing behind if it exits at once', async () => {
    const folder = await temporaryFolder();
    try {
      const record = join(folder.path, 'pid');
      const left = `(trap '' TERM INT HUP; sh -c 'echo $PPID > ${record}'; while :; do sleep 300; done) >/dev/null 2>&1 &`;
      const line = `${left}\nwhile [ ! -s ${record} ]; do :; done; read -r request; exit 3`;
      const launch = { type: 'stdio', command: 'sh', args: ['-c', line], cwd: folder.path, env: {} } as const;
      await assert.rejects(connector().connect(launch, quiet, signal), /status 3/);
      assert.ok(isGone(Number(await readFile(record, 'utf8'))));
    } finally {
      await folder.remove();
    }
  });
});
