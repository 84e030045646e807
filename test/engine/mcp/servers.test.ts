import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async';
import type { McpConnector } from '../../../src/engine/mcp/mcpConnector';
import { type KnownServer, McpServers } from '../../../src/engine/mcp/mcpServers';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';
import { isGone } from '../../support/isGone';
import { PROGRAM_FILE, untilGone, withOneMcpServer as withServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();

describe('An MCP server', function () {
  this.timeout(60_000);

  it('is shared by all callers, exits when it is stopped, and is restarted by the next', () =>
    withServer('none', async ({ servers, server, started }) => {
      const one = await server();
      assert.deepEqual([one.state.kind, one.tools, await started()], ['stopped', undefined, []]);
      assert.deepEqual(servers.toolsOf(one), [], 'nobody asked for them yet');
      const [first] = await Promise.all([servers.check(one, signal), servers.check(one, signal)]);
      assert.deepEqual(
        first.tools.map(({ name }) => name),
        ['mcp__tides__echo', 'mcp__tides__fall', 'mcp__tides__wait'],
      );
      assert.equal((await started()).length, 1);
      const known = await server();
      assert.deepEqual([known.state.kind, known.tools], ['ready', 3]);
      await servers.stop(one);
      await untilGone((await started())[0]);
      assert.equal((await server()).state.kind, 'stopped');
      await servers.check(one, signal);
      assert.equal((await started()).length, 2);
    }));

  it('is stopped after ten minutes without use', () =>
    withServer('none', async ({ servers, server, started, clock }) => {
      const one = await server();
      await servers.check(one, signal);
      clock.forward(599_000);
      await servers.check(one, signal);
      clock.forward(599_000);
      assert.equal((await server()).state.kind, 'ready', 'it was used meanwhile');
      clock.forward(1000);
      await untilGone((await started())[0]);
      assert.equal((await server()).state.kind, 'stopped');
    }));

  it('that does not start is retried after increasing delays, unless it is stopped', () =>
    withServer('exits', async ({ servers, server, started, clock }) => {
      const one = await server();
      const fails = (words: RegExp) => assert.rejects(servers.check(one, signal), words);
      await fails(/^EngineError: The MCP server tides did not start: .*no configuration was found/);
      await fails(/no configuration was found.* It is not retried for 2 s\.$/);
      assert.equal((await started()).length, 1);
      const { state } = await server();
      assert.ok(state.kind === 'failed' && !state.wantsSignIn);
      assert.match(state.why, /no configuration was found/);
      clock.forward(2000);
      await fails(/no configuration was found/);
      assert.equal((await started()).length, 2);
      clock.forward(3000);
      await fails(/not retried for 1 s/);
      await servers.stop(one);
      await fails(/no configuration was found/);
      assert.equal((await started()).length, 3);
      await fails(/not retried for 2 s/);
    }));

  it('that does not start is reported to listeners once that is known', () =>
    withServer('exits', async ({ servers, server }) => {
      let [changes, known] = [0, 0];
      servers.onChange(() => changes++);
      const onLine = ({ text }: { text: string }) => {
        if (/did not start/.test(text)) known = changes;
      };
      await servers.followLog(await server(), { onLine, onEnd: () => undefined });
      await assert.rejects(servers.check(await server(), signal), /did not start/);
      assert.ok(known > 0 && changes > known, `${changes} changes, and it was known after ${known}`);
    }));

  it('exits with all others on disposal, and none is started afterward', () =>
    withServer('none', async ({ servers, server, started }) => {
      const one = await server();
      await servers.check(one, signal);
      await servers.dispose();
      assert.ok(isGone((await started())[0] ?? 0));
      await assert.rejects(servers.check(one, signal), { name: 'AbortError' });
      assert.equal((await started()).length, 1);
    }));

  it('is not awaited by a cancelled caller, while others continue', () =>
    withServer('none', async ({ servers, server, started }) => {
      const one = await server();
      const abort = new AbortController();
      const [given, other] = [servers.check(one, abort.signal), servers.check(one, signal)];
      abort.abort();
      await assert.rejects(given, { name: 'AbortError' });
      assert.equal((await other).tools.length, 3);
      await assert.rejects(servers.check(one, abort.signal), { name: 'AbortError' });
      assert.equal((await started()).length, 1);
    }));
});

describe('MCP servers beyond the limit', () => {
  /** Servers without processes, and the names of those that were closed. */
  async function withMany(use: (servers: McpServers, all: readonly KnownServer[], closed: string[]) => Promise<void>) {
    const folder = await temporaryFolder();
    const ids = Array.from({ length: 26 }, (_, at) => `s${at}`);
    const mcpServers = Object.fromEntries(ids.map((id) => [id, { command: id }]));
    await folder.write({ 'config/mcp.json': JSON.stringify({ mcpServers }) });
    const closed: string[] = [];
    const never = () => Promise.reject(new Error('It is asked for nothing else.'));
    const connector: McpConnector = {
      signIn: never,
      signOut: never,
      connect: (launch) =>
        Promise.resolve({
          ...{ era: undefined, abilities: new Set<string>(), instructions: '', listTools: never, callTool: never },
          ...{ request: never, isAlive: () => Promise.resolve(true) },
          template: () => ({ variables: [], fill: () => '' }),
          close: () => Promise.resolve(void closed.push(launch.type === 'stdio' ? launch.command : '')),
        }),
    };
    const clock = { now: () => ++time, sleep: () => new Deferred<void>().promise };
    let time = 0;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const ports = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log });
    const servers = new McpServers({
      configFolder: `${folder.path}/config`,
      ports: { ...ports, clock, log },
      connector: () => Promise.resolve(connector),
      values: { secrets: { get: () => Promise.resolve(undefined) }, environment: {}, homeFolder: undefined },
      howToAllow: (ids) => `Allow ${ids.join(', ')}.`,
      howToStart: (id) => `Start ${id}.`,
      howToSignIn: (id) => `Sign in to ${id}.`,
    });
    try {
      const place = { workspace: folder.path, isHeard: true };
      await use(servers, (await servers.list(place)).servers, closed);
    } finally {
      await servers.dispose();
      await folder.remove();
    }
  }

  it('replace only the one that was idle the longest', () =>
    withMany(async (servers, all, closed) => {
      const [first, second, ...others] = all;
      assert.ok(first && second);
      for (const one of [first, second, ...others.slice(0, 22)]) await servers.check(one, signal);
      await servers.check(first, signal);
      assert.deepEqual(closed, [], 'so many may run');
      await servers.check(others[22] ?? assert.fail(), signal);
      assert.deepEqual(closed, ['s1']);
    }));

  it('are rejected while all others are in use, with their names', () =>
    withMany(async (servers, all, closed) => {
      const held = new Deferred<Record<string, string>>();
      const values = () => held.promise;
      const used = all
        .slice(0, 24)
        .map((one) => servers.fillAddress(one, 'docs://x', values, new AbortController().signal));
      const refusal = await servers.check(all[24] ?? assert.fail(), signal).catch(String);
      held.resolve({});
      await Promise.all(used);
      assert.equal(
        refusal,
        `EngineError: 24 MCP servers are already running (${all
          .slice(0, 24)
          .map(({ id }) => id)
          .join(', ')}). Wait for one of them to finish.`,
      );
      assert.deepEqual(closed, []);
      await servers.check(all[24] ?? assert.fail(), signal);
    }));
});

describe('The MCP tools of an agent', function () {
  this.timeout(60_000);
  const SEARCH = ['mcp_search', 'mcp_describe', 'mcp_invoke'];
  const SMALL = ['mcp__tides__echo', 'mcp__tides__fall', 'mcp__tides__wait'];

  for (const [what, fault, more, names] of [
    ['offered by name if they are few', 'none', {}, SMALL],
    ['offered through search if they are many', 'many', {}, SEARCH],
    ['offered through search if the server is set to “search”', 'none', { offer: 'search' }, SEARCH],
    ['all offered by name if the server is set to “always”', 'many', { offer: 'always' }, null],
    ['none if the server is set to “off”', 'none', { offer: 'off' }, []],
    [
      'offered as set for each tool',
      'none',
      { offerTools: { echo: 'search', fall: 'off' } },
      ['mcp__tides__wait', ...SEARCH],
    ],
    [
      'offered if the file of another program lists them',
      'none',
      { includeTools: ['echo', 'gone'] },
      SMALL.slice(0, 1),
    ],
    ['offered unless it excludes them', 'none', { disabledTools: ['echo'] }, SMALL.slice(1)],
    [
      'offered by the user’s choice, even if it does not list them',
      'none',
      { enabledTools: ['echo'], offerTools: { fall: 'always' } },
      SMALL.slice(0, 2),
    ],
  ] as const)
    it(`are ${what}`, () =>
      withServer(
        fault,
        async ({ servers, server, tools }) => {
          assert.deepEqual((await tools()).names, what.startsWith('none') ? [] : SEARCH, 'those that nobody asked yet');
          await servers.check(await server(), signal);
          const found = (await tools()).names;
          if (names) assert.deepEqual(found, names);
          else assert.equal(found.length, 500);
        },
        more,
      ));

  it('have their descriptions, or the name of their server without one', () =>
    withServer('none', async ({ servers, server, place }) => {
      await servers.check(await server(), signal);
      const { tools } = await servers.toolsFor(place, () => true);
      assert.deepEqual(
        tools.map(({ description }) => description),
        ['Says the text again.', 'Ends the server.', 'wait of the MCP server tides.'],
      );
      for (const { traits } of tools) assert.equal(traits?.doing, 'Calling', 'what is told while it runs');
    }));

  it('are those it enables', () =>
    withServer('none', async ({ servers, server, place }) => {
      await servers.check(await server(), signal);
      const wanted = await servers.toolsFor(place, (id, name) => id === 'tides' && !name?.endsWith('fall'));
      assert.deepEqual(
        wanted.tools.map(({ name }) => name),
        ['mcp__tides__echo', 'mcp__tides__wait'],
      );
      assert.deepEqual((await servers.toolsFor(place, (id) => id === 'other')).tools, []);
      const named = { ...place, serverNames: { sea: ['tides'], hills: ['other'] } };
      assert.equal((await servers.toolsFor(named, (id) => id === 'sea')).tools.length, 3);
      assert.deepEqual((await servers.toolsFor(named, (id) => id === 'hills')).tools, []);
    }));

  it('of a workspace are missing until it is allowed, and again after a change, with a notice', () =>
    withServer(
      'none',
      async ({ servers, server, tools, folder }) => {
        const waits = await tools();
        assert.deepEqual(waits.names, []);
        assert.match(
          waits.notices.join(),
          /“tides” of .*\.mcp\.json needs to be allowed, so agents work without it\. Allow tides\.$/,
        );
        await servers.consents.remember(await server(), false);
        assert.deepEqual(await tools(), { names: [], notices: [] });
        await servers.consents.remember(await server(), true);
        assert.deepEqual(await tools(), { names: SEARCH, notices: [] });
        await folder.write({ '.mcp.json': JSON.stringify({ mcpServers: { tides: { command: 'other' } } }) });
        const changed = await tools();
        assert.deepEqual(changed.names, []);
        assert.match(changed.notices.join(), /“tides” .* has changed since you allowed it/);
      },
      {},
      '.mcp.json',
    ));

  it('of a workspace that wait for the same reason share a notice, which names the first five', () =>
    withServer(
      'none',
      async ({ servers, tools, folder, place }) => {
        const ids = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
        const write = (command: string, names: readonly string[]) =>
          folder.write({
            '.mcp.json': JSON.stringify({ mcpServers: Object.fromEntries(names.map((id) => [id, { command }])) }),
          });
        await write('first', ids);
        const [notice = '', ...others] = (await tools()).notices;
        assert.deepEqual(others, []);
        assert.match(
          notice,
          /^The MCP servers “one”, “two”, “three”, “four”, “five” and 2 more of .*\.mcp\.json wait to be allowed, so agents work without them\. Allow one, two, three, four, five, six, seven\.$/,
        );
        for (const one of (await servers.list(place)).servers) await servers.consents.remember(one, true);
        await write('other', ids.slice(0, 2));
        assert.match(
          (await tools()).notices.join('|'),
          /^The MCP servers “one”, “two” of [^|]* have changed since you allowed them, so [^|]*$/,
        );
      },
      {},
      '.mcp.json',
    ));

  it('of another program are offered once the user allows it, and not mentioned before', () =>
    withServer(
      'none',
      async ({ servers, server, tools }) => {
        assert.deepEqual(await tools(), { names: [], notices: [] });
        await servers.consents.remember(await server(), true);
        assert.deepEqual(await tools(), { names: SEARCH, notices: [] });
      },
      {},
      PROGRAM_FILE,
    ));

  it('of a workspace are missing with a notice that marks letters that only look Latin in the command to allow it', () =>
    withServer(
      'none',
      async ({ folder, tools }) => {
        await folder.write({ '.mcp.json': JSON.stringify({ mcpServers: { рор: { command: 'other' } } }) });
        const { notices } = await tools();
        assert.match(notices.join(), / Allow ⟨р U\+0440⟩⟨о U\+043E⟩⟨р U\+0440⟩\.$/);
      },
      {},
      '.mcp.json',
    ));

  it('are missing while the consents cannot be read, with a notice', () =>
    withServer(
      'none',
      async ({ folder, tools }) => {
        await folder.write({ 'config/mcp-consents.json': '{' });
        const { names, notices } = await tools();
        assert.deepEqual(names, []);
        assert.match(notices.join(), /mcp-consents\.json:1: not JSON/);
      },
      {},
      '.mcp.json',
    ));
});
