import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/deferred';
import { untilGone, withOneMcpServer as withServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();
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
});
