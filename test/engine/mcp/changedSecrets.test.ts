import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { Deferred } from '../../../src/base/async';
import { untilGone, withOneMcpServer as withServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();

/** Runs `use` with the address of a server that accepts only this key. It can be changed. */
async function withKeyedServer(use: (url: string, accepted: { key: string; calls: number }) => Promise<void>) {
  const accepted = { key: 'moon-and-sun-4711', calls: 0 };
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'keyed', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'Here I am.' }] },
  };
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.headers.authorization !== `Bearer ${accepted.key}`) return response.writeHead(401).end();
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = z
        .object({ id: z.optional(z.union([z.number(), z.string()])), method: z.string() })
        .parse(JSON.parse(body));
      if (method === 'tools/call') accepted.calls++;
      if (id === undefined) return response.writeHead(202).end();
      const result = results[method];
      const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'none' } }) };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/mcp`, accepted);
  } finally {
    http.closeAllConnections();
    http.close();
  }
}
const token = { env: { TIDES_TOKEN: '{{TIDES}}' } };
/** Waits for `count` turns of the event loop, so that work started elsewhere can finish. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

describe('An MCP server whose secret changes', function () {
  this.timeout(60_000);

  it('is stopped, and restarted with the new one by the next call', () =>
    withServer(
      'none',
      async ({ servers, server, started, setSecret, call }) => {
        await servers.check(await server(), signal);
        setSecret('TIDES', 'another-4712');
        const [first] = await started();
        await untilGone(first);
        assert.equal((await server()).state.kind, 'stopped');
        assert.match((await call('echo', { text: 'one' })).text, /You said: one/);
        assert.equal((await started()).length, 2);
      },
      token,
    ));

  it('finishes its running calls before it is stopped', () =>
    withServer(
      'none',
      async ({ servers, server, started, setSecret }) => {
        const one = await server();
        await servers.check(one, signal);
        const [asked, held] = [new Deferred<void>(), new Deferred<Record<string, string>>()];
        const values = () => {
          asked.resolve();
          return held.promise;
        };
        const under = servers.fillAddress(one, 'docs://{day}', values, signal);
        await asked.promise;
        setSecret('TIDES', 'another-4712');
        while ((await server()).state.kind !== 'stopped') await turns(1);
        await servers.check(one, signal);
        const [first, second] = await started();
        assert.doesNotThrow(() => process.kill(first ?? 0, 0), 'it is still there');
        held.resolve({ day: 'monday' });
        assert.equal(await under, 'docs://monday');
        await untilGone(first);
        assert.doesNotThrow(() => process.kill(second ?? 0, 0));
      },
      token,
    ));

  it('keeps running when another secret changes, or the same value is stored again', () =>
    withServer(
      'none',
      async ({ servers, server, started, setSecret }) => {
        await servers.check(await server(), signal);
        setSecret('TIDES', 'moon-and-sun-4711');
        setSecret('SHORE', 'sand');
        await turns(50);
        await servers.check(await server(), signal);
        assert.equal((await started()).length, 1);
      },
      token,
    ));

  it('reports a deleted secret, and starts once it exists again, however often it failed', () =>
    withServer(
      'exits',
      async ({ servers, server, started, setSecret, clock }) => {
        const one = await server();
        for (let times = 0; times < 5; times++) {
          await assert.rejects(servers.check(one, signal), /no configuration was found/);
          clock.forward(60_000);
        }
        await assert.rejects(servers.check(one, signal), /It failed 5 times in a row/);
        setSecret('TIDES', undefined);
        while ((await server()).state.kind === 'failed') await turns(1);
        await assert.rejects(servers.check(one, signal), /there is no secret TIDES\.$/);
        setSecret('TIDES', 'another-4712');
        await assert.rejects(servers.check(one, signal), /no configuration was found/);
        assert.equal((await started()).length, 6);
      },
      token,
    ));

  it('is read again where it comes from when the server does not start with the old value', () =>
    withServer(
      'wants-another-4712',
      async ({ servers, server, started, rotateSecret }) => {
        const one = await server();
        await assert.rejects(servers.check(one, signal), /the key is not valid/);
        assert.equal((await started()).length, 1, 'the value was the same, so it was not tried again');
        await servers.stop(one);
        rotateSecret('TIDES', 'another-4712');
        await servers.check(one, signal);
        assert.equal((await started()).length, 3);
      },
      token,
    ));

  it('is read again where it comes from when a running server refuses the old value', () =>
    withKeyedServer((url, accepted) =>
      withServer(
        'none',
        async ({ servers, server, call, rotateSecret }) => {
          await servers.check(await server(), signal);
          rotateSecret('TIDES', 'another-4712');
          accepted.key = 'another-4712';
          assert.match((await call('echo')).text, /Here I am/);
          assert.equal(accepted.calls, 1);
          accepted.key = 'never-seen-4713';
          assert.match((await call('echo')).text, /It refuses the key in its Authorization header/);
        },
        {
          ...{ command: undefined, args: undefined, cwd: undefined },
          ...{ type: 'http', url, headers: { Authorization: 'Bearer {{TIDES}}' } },
        },
      ),
    ));

  it('is requested once for all parallel calls that are refused, and each of them is made with the new one', () =>
    withKeyedServer((url, accepted) =>
      withServer(
        'none',
        async ({ servers, server, rotateSecret, requests }) => {
          const one = await server();
          await servers.check(one, signal);
          rotateSecret('TIDES', 'another-4712');
          accepted.key = 'another-4712';
          const before = requests();
          const asking = Array.from({ length: 8 }, () => servers.ask(one, 'prompts/list', {}, { signal }));
          // It has no prompts, which only somebody with the right key is told.
          await Promise.all(asking.map((each) => assert.rejects(each, /none/)));
          assert.equal(requests() - before, 1);
        },
        {
          ...{ command: undefined, args: undefined, cwd: undefined },
          ...{ type: 'http', url, headers: { Authorization: 'Bearer {{TIDES}}' } },
        },
      ),
    ));
});
