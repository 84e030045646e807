import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async';
import { EngineError } from '../../../src/engine/engineError';
import type { McpConnector, McpLink } from '../../../src/engine/mcp/mcpConnector';
import { McpPool, type Wanted } from '../../../src/engine/mcp/running/mcpPool';
import { ServerTroubles } from '../../../src/engine/mcp/running/serverTroubles';
import { aMoment } from '../../support/aMoment';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** The maximum size of the pool. */
const MOST = 24;

/** Servers without processes, the names of those started and ended so far, and a clock that advances by itself. */
function world() {
  const [started, ended]: [string[], string[]] = [[], []];
  const closing = new Map<string, Deferred<void>>();
  /** Maps servers to their folders, `/` by default. */
  const folders = new Map<string, string>();
  /** Ends the waits that have begun so far. */
  const waits: (() => void)[] = [];
  let now = 0;
  const clock = {
    now: () => ++now,
    sleep: (_: number, stop: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        waits.push(resolve);
        stop.addEventListener('abort', () => reject(new Error('not needed')));
      }),
  };
  const none = () => Promise.reject(new Error('nobody asks for it'));
  const link = (name: string): McpLink => ({
    era: undefined,
    abilities: new Set(),
    instructions: '',
    listTools: none,
    callTool: none,
    request: none,
    template: () => ({ variables: [], fill: () => '' }),
    isAlive: () => Promise.resolve(true),
    async close() {
      await closing.get(name)?.promise;
      ended.push(name);
    },
  });
  const connecting = new Map<string, Deferred<void>>();
  const connector: McpConnector = {
    async connect(launch) {
      const name = launch.type === 'stdio' ? launch.command : launch.url;
      started.push(name);
      // It does not notice that it is no longer needed.
      await connecting.get(name)?.promise;
      return link(name);
    },
    signIn: none,
    signOut: none,
  };
  const wanted = (name: string): Wanted => ({
    key: name,
    id: name,
    isProgram: true,
    howToStart: '',
    fill: () => {
      const cwd = folders.get(name) ?? '/';
      return Promise.resolve({ launch: { type: 'stdio', command: name, args: [], cwd, env: {} }, secrets: [] });
    },
    era: () => Promise.resolve(undefined),
    onEra: () => Promise.resolve(),
    onListsChanged: () => undefined,
    onSaid: () => undefined,
    onState: () => undefined,
  });
  const pool = new McpPool({ connector, clock, log });
  const use = (
    name: string,
    work: () => Promise<void> = () => Promise.resolve(),
    stop = new AbortController().signal,
  ) => pool.use(wanted(name), work, stop);
  return { pool, started, ended, closing, connecting, folders, waits, use };
}

const names = Array.from({ length: MOST }, (_, at) => `server-${at}`);

describe('The pool of MCP servers', () => {
  it('stops the least recently used server when there would be too many', async () => {
    const { use, started, ended } = world();
    for (const name of names) await use(name);
    await use('server-0');
    assert.deepEqual(ended, []);
    await use('one-more');
    assert.deepEqual(ended, ['server-1'], 'server-0 was used again after it');
    await use('server-1');
    assert.deepEqual(ended, ['server-1', 'server-2']);
    assert.equal(started.length, MOST + 2);
  });

  it('stops none that is in use, and lists them when all are', async () => {
    const { use, started, ended } = world();
    const held = new Deferred<void>();
    const under = names.map((name) => use(name, () => held.promise));
    await assert.rejects(use('one-more'), (error) => {
      assert.match(String(error), /^EngineError: 24 MCP servers are already running \(server-0, .*server-23\)\./);
      return EngineError.is(error, 'io');
    });
    held.resolve();
    await Promise.all(under);
    await use('one-more');
    assert.deepEqual([started.length, ended.length], [MOST + 1, 1]);
  });

  it('stops none that is used again at the moment when it has been idle for too long', async () => {
    const { use, waits, ended } = world();
    await use('a');
    waits.at(-1)?.();
    await use('a', async () => {
      await new Promise(setImmediate);
      assert.deepEqual(ended, []);
    });
  });

  it('stops a server whose launch has changed once, and on disposal also if it still serves a call', async () => {
    const { pool, folders, use, started, ended } = world();
    const [asked, never] = [new Deferred<void>(), new Deferred<void>()];
    const first = use('a', () => {
      asked.resolve();
      return never.promise;
    });
    await asked.promise;
    folders.set('a', '/elsewhere');
    const changed = await Promise.all([pool.refill(), pool.refill()]);
    assert.deepEqual(
      changed.map((keys) => [...keys]),
      [['a'], []],
    );
    await use('a');
    assert.deepEqual([started, ended], [['a', 'a'], []]);
    await pool.dispose();
    assert.deepEqual(ended, ['a', 'a']);
    never.resolve();
    await first;
  });

  it('closes only after a server with an abandoned start has exited', async () => {
    const { pool, connecting, closing, use, started, ended } = world();
    const [connect, close] = [new Deferred<void>(), new Deferred<void>()];
    connecting.set('slow', connect);
    closing.set('slow', close);
    const stop = new AbortController();
    const asked = use('slow', undefined, stop.signal);
    while (started.length === 0) await aMoment();
    stop.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    let isOver = false;
    const over = pool.dispose().then(() => {
      isOver = true;
    });
    connect.resolve();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    assert.deepEqual([isOver, ended], [false, []]);
    close.resolve();
    await over;
    assert.deepEqual(ended, ['slow']);
  });
});

describe('A server that required a sign-in', () => {
  it('requires none after it was ready', () => {
    const troubles = new ServerTroubles({ now: () => 0, sleep: () => Promise.resolve() });
    const server = { key: 'a', isProgram: false, howToStart: 'Start it.' };
    troubles.notStarted(server, new EngineError('denied', 'Sign in.'));
    assert.equal(troubles.of('a')?.wantsSignIn, true);
    assert.equal(troubles.refusal(server)?.message, 'Sign in.');
    troubles.isReady('a');
    assert.equal(troubles.of('a')?.wantsSignIn, false);
    assert.equal(troubles.refusal(server), undefined);
  });
});
