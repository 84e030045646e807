import assert from 'node:assert/strict';
import { withOneMcpServer as withServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();

describe('The traffic of an MCP server', function () {
  this.timeout(60_000);

  it('counts calls and failures, times them, and names the last one', () =>
    withServer('none', async ({ servers, server, call, clock }) => {
      await servers.check(await server(), signal);
      assert.deepEqual((await server()).traffic, { calls: 0, failures: 0, totalMs: 0, done: 0, last: undefined });
      await call('echo', { text: 'one' });
      clock.forward(60_000);
      await call('fall');
      const { calls, failures, done, last } = (await server()).traffic;
      assert.deepEqual([calls, failures, done], [2, 1, 2]);
      assert.deepEqual(last, { tool: 'fall', at: clock.now(), ms: 0, hasFailed: true });
      await call('echo', { text: 'two' });
      assert.equal((await server()).traffic.last?.hasFailed, false);
    }));

  it('reveals no secret, even when a server uses it in a tool name', () =>
    withServer(
      'tells',
      async ({ servers, server, call }) => {
        await servers.check(await server(), signal);
        assert.match((await call('say_moon-and-sun-4711', { text: 'x' })).text, /You said: x/);
        const lines: string[] = [];
        const onLine = ({ text }: { text: string }) => void lines.push(text);
        await servers.followLog(await server(), { onLine, onEnd: () => undefined });
        assert.equal((await server()).traffic.last?.tool, 'say_•••');
        assert.doesNotMatch(lines.join(), /moon-and-sun/);
      },
      { env: { TIDES_TOKEN: '{{TIDES}}' } },
    ));
});
