import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LogLine } from '../../../src/engine';
import { ServerLogs } from '../../../src/engine/mcp/running/serverLogs';
import { withOneMcpServer } from '../../support/oneMcpServer';
import { aMoment } from '../../support/aMoment';

const { signal } = new AbortController();
/** An endpoint that rejects every request and repeats the key that was sent. */
async function withRefusing(use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [, id = '0'] = /"id":("[^"]*"|\d+)/.exec(body) ?? [];
      const error = { code: -32000, message: `key ${String(request.headers['tides'])} is refused` };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function until(lines: readonly string[], wanted: string): Promise<void> {
  while (!lines.includes(wanted)) await aMoment();
}

const textOf = ({ from, text }: LogLine) => `${from}: ${text}`;

describe('The log of an MCP server', function () {
  this.timeout(60_000);

  it('contains its state changes, error output by line and messages, without colors and secrets', () =>
    withOneMcpServer(
      'talks',
      async ({ servers, server, call }) => {
        const lines: string[] = [];
        const one = await server();
        await servers.check(one, signal);
        const following = await servers.followLog(one, {
          onLine: (line) => lines.push(textOf(line)),
          onEnd: () => undefined,
        });
        await call('fall');
        following.dispose();
        const all = lines.join('\n');
        assert.deepEqual(lines.slice(0, 2), ['cairn: Starting.', 'cairn: Ready.']);
        for (const words of [
          /^stderr: tables: 0$/m,
          /^stderr: key •••, half a liout of memory$/m,
          /^server: warning in db: \{"tables":0\}$/m,
          /^server: info: key •••$/m,
          /^cairn: Calling fall\.$/m,
          /^cairn: The MCP server tides is gone\. It ended with status 9\./m,
        ])
          assert.match(all, words);
        assert.doesNotMatch(all, /4711/);
      },
      { env: { TIDES_TOKEN: '{{TIDES}}' } },
    ));

  it('contains no part of a secret from a line that is too long', () =>
    withOneMcpServer(
      'secret-in-long-line',
      async ({ servers, server }) => {
        const lines: string[] = [];
        const one = await server();
        await servers.followLog(one, { onLine: (line) => lines.push(textOf(line)), onEnd: () => undefined });
        await servers.check(one, signal);
        await until(lines, 'stderr: listed');
        assert.match(lines.join('\n'), /^stderr: .*y{100}/m);
        assert.doesNotMatch(lines.join('\n'), /711/);
      },
      { env: { TIDES_TOKEN: '{{TIDES}}' } },
    ));

  for (const [where, fault, launch] of [
    ['a program', 'refuses', { env: { TIDES_TOKEN: '{{TIDES}}' } }],
    ['an address', 'none', { type: 'http', command: undefined, args: undefined, headers: { Tides: '{{TIDES}}' } }],
  ] as const)
    it(`contains no secret of its launch when ${where} repeats it in a rejection`, () =>
      withRefusing(async (url) =>
        withOneMcpServer(
          fault,
          async ({ servers, server, call }) => {
            const lines: string[] = [];
            const one = await server();
            await servers.followLog(one, { onLine: (line) => lines.push(textOf(line)), onEnd: () => undefined });
            const told = [
              await servers.check(one, signal).then(() => '', String),
              where === 'a program' ? (await call('echo', { text: 'x' })).text : '',
              JSON.stringify((await server()).state),
              ...lines,
            ].join('\n');
            assert.match(told, /key ••• is refused/);
            assert.doesNotMatch(told, /4711/);
          },
          where === 'a program' ? launch : { ...launch, url },
        ),
      ));

  it('is sent to all followers until they stop or the servers end', () =>
    withOneMcpServer('none', async ({ servers, server }) => {
      const told: string[] = [];
      const one = await server();
      const follower = (name: string) => ({
        onLine: ({ text }: LogLine) => void told.push(`${name} ${text}`),
        onEnd: () => void told.push(`${name} ended`),
      });
      (await servers.followLog(one, follower('left'))).dispose();
      await servers.followLog(one, follower('stayed'));
      await servers.check(one, signal);
      await servers.dispose();
      assert.deepEqual(told, ['stayed Starting.', 'stayed Ready.', 'stayed Stopped.', 'stayed ended']);
    }));

  it('keeps the latest lines of a flood', () => {
    const logs = new ServerLogs({ now: () => 7 });
    for (let at = 0; at < 10_000; at++) logs.add('key', 'stderr', at === 9999 ? 'x'.repeat(50_000) : `line ${at}`);
    const lines: LogLine[] = [];
    logs.follow('key', { onLine: (line) => lines.push(line), onEnd: () => undefined });
    assert.equal(lines.length, 1000);
    assert.equal(lines[0]?.text, 'line 9000');
    assert.ok((lines.at(-1)?.text.length ?? 0) <= 2000);
  });
});

describe('The offer setting of an MCP server', function () {
  this.timeout(60_000);

  it("follows the user's choice for a workspace server, per tool or for all, over its file", () =>
    withOneMcpServer(
      'none',
      async ({ servers, server, tools, folder }) => {
        await servers.consents.remember(await server(), true);
        await servers.check(await server(), signal);
        const one = await server();
        const choose = async (tool: string | undefined, offer: 'always' | 'search' | 'off' | undefined) => {
          await servers.offers.choose(one, tool, offer);
          return (await tools()).names.filter((name) => name.startsWith('mcp__'));
        };
        assert.deepEqual(await choose('fall', 'off'), ['mcp__tides__wait']);
        assert.deepEqual(await choose('echo', 'always'), ['mcp__tides__echo', 'mcp__tides__wait']);
        assert.deepEqual(await choose(undefined, 'off'), []);
        assert.deepEqual(await choose(undefined, 'search'), ['mcp__tides__echo']);
        const offers = servers.toolsOf(await server()).map(({ tool, offer }) => `${tool.name} ${offer}`);
        assert.deepEqual(offers, ['echo always', 'fall off', 'wait search']);
        for (const [tool, left] of [
          ['echo', []],
          ['fall', []],
          [undefined, ['mcp__tides__fall', 'mcp__tides__wait']],
        ] as const)
          assert.deepEqual(await choose(tool, undefined), left);
        await folder.write({ 'config/mcp-offers.json': '{' });
        const broken = await tools();
        assert.ok(broken.names.includes('mcp__tides__wait'));
        assert.match(broken.notices.join(), /mcp-offers\.json:1: not JSON.* Until then, .* as their files say\./);
      },
      { offerTools: { echo: 'off' } },
      '.mcp.json',
    ));
});
