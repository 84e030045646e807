import assert from 'node:assert/strict';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { memorySignIns } from '../../support/memorySignIns';
import { WAYS, withOddServer } from '../../support/oddMcpServer';
import { withOneMcpServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();
const quiet = {
  ...{ timeoutMs: 30_000, secrets: [] },
  ...{ onSaid: () => undefined, onEnd: () => undefined, onListsChanged: () => undefined },
};
const connector = () => nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
/** The tests' own limit is shorter, so that a call which waits for its end fails. */
const calling = { signal, timeoutMs: 600_000, onProgress: () => undefined };

const ANSWER = '{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}';

/** What a server sends, and what the error says about it. */
const MALFORMED: readonly (readonly [what: string, sent: string, told: RegExp])[] = [
  ['a list as its result', '{"jsonrpc":"2.0","id":ID,"result":[]}', /whose result is a list, not an object/],
  ['text as its result', '{"jsonrpc":"2.0","id":ID,"result":"done"}', /whose result is text, not an object/],
  ['null as its result', '{"jsonrpc":"2.0","id":ID,"result":null}', /whose result is null, not an object/],
  ['a bad detail', '{"jsonrpc":"2.0","id":ID,"result":{"_meta":7}}', /that is not valid/],
  ['nothing', '{"jsonrpc":"2.0","id":ID}', /with neither a result nor an error/],
  ['a result and an error', '{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}', /with both/],
  ['no version', '{"id":ID,"result":{}}', /that is not marked as JSON-RPC 2\.0/],
  ['an error that is text', '{"jsonrpc":"2.0","id":ID,"error":"full"}', /whose error is text, not an object/],
  ['an error without a code', '{"jsonrpc":"2.0","id":ID,"error":{"message":"full"}}', /has no code \(“full”\)/],
  ['an error without a message', '{"jsonrpc":"2.0","id":ID,"error":{"code":7}}', /whose error has no message/],
  ['null as its id', '{"jsonrpc":"2.0","id":null,"result":{}}', /that does not say which request it belongs to/],
  ['an object as its id', '{"jsonrpc":"2.0","id":{"n":ID},"result":{}}', /does not say which request/],
  ['no id', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}', /does not say which request/],
  ['a cut line', '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"te', /that is not valid JSON/],
];

describe('A malformed answer of an MCP server', function () {
  this.timeout(30_000);

  for (const way of WAYS)
    it(`fails its call at once, with what is wrong (${way})`, () =>
      withOddServer(
        way,
        MALFORMED.map(([, sent]) => sent),
        async (launch) => {
          const link = await connector().connect(launch, quiet, signal);
          for (const [at, [what, , told]] of MALFORMED.entries()) {
            const end = await link.callTool('echo', { at }, calling).then(JSON.stringify, String);
            assert.match(end, /^EngineError: It sent an answer /, what);
            assert.match(end, told, what);
          }
          await link.close();
        },
      ));

  for (const way of WAYS)
    it(`without an id fails its own call, not one beside it (${way})`, () =>
      withOddServer(way, ['{"jsonrpc":"2.0","id":null,"result":{}}', ANSWER], async (launch) => {
        const link = await connector().connect(launch, quiet, signal);
        const ends = [0, 1].map((at) => link.callTool('echo', { at }, calling).then(JSON.stringify, String));
        const [nameless = '', other] = await Promise.all(ends);
        assert.match(nameless, /does not say which request it belongs to/);
        assert.equal(other, '{"content":[]}');
        await link.close();
      }));

  it('that ends before it is complete fails its call at once', () =>
    withOddServer('stream', ['{"jsonrpc":"2.0","method":"notifications/unknown"}', 'END'], async (launch) => {
      const link = await connector().connect(launch, quiet, signal);
      await assert.rejects(link.callTool('echo', {}, calling), /^EngineError: It sent an answer that ends too early\./);
      await link.close();
    }));

  for (const way of ['json', 'stream'] as const)
    it(`that is only an empty status 202 fails its call at once (${way})`, () =>
      withOddServer(way, ['ACCEPTED', ANSWER], async (launch) => {
        const link = await connector().connect(launch, quiet, signal);
        const told = /^EngineError: It sent an answer without a result, only with the status 202\./;
        await assert.rejects(link.callTool('echo', { at: 0 }, calling), told);
        assert.deepEqual(await link.callTool('echo', { at: 1 }, calling), { content: [] });
        await link.close();
      }));

  it('is named with its server to the agent, and the server stays usable', () =>
    withOneMcpServer('bad-result', async ({ servers, server, call, started }) => {
      await servers.check(await server(), signal);
      const { status, text } = await call('echo', { text: 'x' });
      assert.equal(status, 'error');
      assert.match(text, /The MCP server tides sent an answer whose result is a number, not an object\./);
      assert.match((await call('echo', { text: 'y' })).text, /You said: y/);
      assert.equal((await started()).length, 1);
    }));
});

describe('A malformed request of an MCP server', function () {
  this.timeout(30_000);

  const requests = [
    '{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":7}',
    '{"jsonrpc":"2.0","id":"q2","method":["ping"]}',
    '{"jsonrpc":"2.0","id":3,"method":"roots/list","params":[1]}',
  ];
  it('is answered with an error, since the server waits for it', () =>
    withOddServer('stdio', requests, async (launch) => {
      const link = await connector().connect(launch, quiet, signal);
      for (const [at, request] of requests.entries()) {
        const end = await link.callTool('echo', { at }, calling).then(JSON.stringify, String);
        assert.match(end, /\\"error\\":\{\\"code\\":-32[0-9]{3}/, request);
      }
      await link.close();
    }));
});
