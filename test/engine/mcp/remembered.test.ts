import assert from 'node:assert/strict';
import { NewEraServer } from '../../support/newEraServer';
import { type OneServer, withOneMcpServer } from '../../support/oneMcpServer';
import { aMoment } from '../../support/aMoment';

const { signal } = new AbortController();

async function withNewEra(use: (server: NewEraServer, world: OneServer) => Promise<void>): Promise<void> {
  const server = await NewEraServer.start();
  const launch = { type: 'http', url: server.url, command: undefined, args: undefined };
  try {
    await withOneMcpServer('none', (world) => use(server, world), launch);
  } finally {
    await server.stop();
  }
}

const count = ({ asked }: NewEraServer, method: string) => asked.filter((one) => one === method).length;

describe('The cached facts about an MCP server', function () {
  this.timeout(60_000);

  for (const [era, isOld, found, ready] of [
    ['newer', false, 1, 0],
    ['older', true, 1, 3],
  ] as const)
    it(`include that it speaks the ${era} protocol, detected once, also for the next window`, () =>
      withNewEra(async (server, { servers, another, server: one }) => {
        server.says = { isOld };
        for (let times = 0; times < 2; times++) {
          await servers.check(await one(), signal);
          await servers.stop(await one());
        }
        await another(async (others) => {
          assert.equal((await others.check(await one(), signal)).tools.length, 1);
        });
        assert.deepEqual([count(server, 'server/discover'), count(server, 'initialize')], [found, ready]);
      }));

  it('include that a program speaks only the newer protocol, detected by one extra start', () =>
    withOneMcpServer('new-era', async ({ servers, server, started, call }) => {
      await servers.check(await server(), signal);
      assert.equal((await started()).length, 2);
      assert.match((await call('echo', { text: 'hi' })).text, /You said: hi/);
      await servers.stop(await server());
      assert.equal((await servers.check(await server(), signal)).tools.length, 1);
      assert.equal((await started()).length, 3);
    }));

  it('are refreshed when they no longer hold, and after a while', () =>
    withNewEra(async (server, { servers, server: one, clock }) => {
      await servers.check(await one(), signal);
      await servers.stop(await one());
      server.says = { isOld: true };
      server.asked.length = 0;
      server.tools = ['height', 'width'];
      clock.forward(86_400_000);
      assert.equal((await servers.check(await one(), signal)).tools.length, 2);
      assert.deepEqual([count(server, 'server/discover'), count(server, 'initialize')], [1, 1]);
    }));

  it('are not reused for a server that declares them uncacheable', () =>
    withNewEra(async (server, { servers, server: one, clock }) => {
      server.says = { ttlMs: 0 };
      for (let times = 0; times < 2; times++) {
        await servers.check(await one(), signal);
        await servers.stop(await one());
        clock.forward(1);
      }
      assert.equal(count(server, 'server/discover'), 2);
    }));

  it('are used until they expire, and are then refreshed alongside each call', () =>
    withNewEra(async (server, { servers, server: one, call, clock }) => {
      server.says = { ttlMs: 120_000 };
      await servers.check(await one(), signal);
      server.tools = ['height', 'width'];
      clock.forward(119_000);
      assert.match((await call('height')).text, /High\./);
      assert.equal((await one()).tools, 1);
      clock.forward(1000);
      assert.match((await call('height')).text, /High\./);
      while ((await one()).tools !== 2) await aMoment();
      assert.equal(count(server, 'tools/list'), 2);
      server.tools = ['height', 'width', 'depth'];
      clock.forward(120_000);
      await call('height');
      while ((await one()).tools !== 3) await aMoment();
    }));
});
