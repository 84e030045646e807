import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async';
import { everythingAt, freePort } from '../../support/everythingServer';
import { hurried, untilGone, withOneMcpServer as withServer } from '../../support/oneMcpServer';
import { withSessionServer } from '../../support/sessionServer';
import { aMoment } from '../../support/aMoment';

const { signal } = new AbortController();
const token = { env: { TIDES_TOKEN: '{{TIDES}}' } };

describe('An MCP server that exits during a call', function () {
  this.timeout(60_000);

  it('is reported with its status and last output, without secrets, and restarted by the next call', () =>
    withServer(
      'falls-after-2',
      async ({ servers, call, started, server }) => {
        await servers.check(await server(), signal);
        assert.match((await call('echo', { text: 'one' })).text, /You said: one/);
        const failed = await call('echo', { text: 'two' });
        assert.equal(failed.status, 'error');
        assert.match(
          failed.text,
          /^It ended with status 9\. It last said: chatter\n[^]*key ••• is refused The next call starts it again\.$/,
        );
        assert.ok(failed.text.length < 1800, 'of a flood only the end');
        const { state } = await server();
        assert.ok(state.kind === 'failed' && !state.isGivenUp);
        assert.match(state.why, /^The MCP server tides is gone\. It ended with status 9\. [^]*key ••• is refused$/);
        assert.match((await call('echo', { text: 'three' })).text, /You said: three/);
        assert.equal((await started()).length, 2);
        assert.equal((await server()).state.kind, 'ready');
      },
      token,
    ));

  it('repeatedly is restarted after increasing delays, then only by the user', () =>
    withServer('falls-after-1', async ({ servers, call, clock, server, started }) => {
      await servers.check(await server(), signal);
      const next = async () =>
        /(?:The next call|It is not retried|It failed).*$/.exec((await call('echo', { text: 'x' })).text)?.[0];
      assert.equal(await next(), 'The next call starts it again.');
      for (const seconds of [2, 4, 8]) {
        assert.equal(await next(), `It is not retried for ${seconds} s.`);
        const count = (await started()).length;
        assert.equal(await next(), `It is not retried for ${seconds} s.`);
        assert.equal((await started()).length, count, 'nothing was started');
        clock.forward(seconds * 1000);
      }
      const givenUp = 'It failed 5 times in a row, so it is not restarted automatically. Start tides.';
      assert.equal(await next(), givenUp);
      clock.forward(24 * 3_600_000);
      assert.equal(await next(), givenUp);
      const { state } = await server();
      assert.ok(state.kind === 'failed' && state.isGivenUp);
      assert.equal((await started()).length, 5);
      await servers.start(await server(), signal);
      assert.equal((await server()).state.kind, 'ready');
      assert.equal(await next(), 'The next call starts it again.');
    }));

  it('has its failure count reset once it ran well for a while, or exited while idle', () =>
    withServer('falls-after-1', async ({ servers, call, clock, server }) => {
      await servers.check(await server(), signal);
      const next = async () => (await call('echo', { text: 'x' })).text;
      assert.match(await next(), /The next call starts it again\.$/);
      await servers.check(await server(), signal);
      clock.forward(300_000);
      assert.match(await next(), /The next call starts it again\.$/);
      assert.match(await next(), /It is not retried for 2 s\.$/);
    }));

  it('is simply restarted when it exits between calls', () =>
    withServer('none', async ({ servers, server, started, call }) => {
      for (let times = 1; times <= 7; times++) {
        await servers.check(await server(), signal);
        const pids = await started();
        assert.equal(pids.length, times);
        process.kill(pids.at(-1) ?? 0);
        await untilGone(pids.at(-1));
        while ((await server()).state.kind === 'ready') await aMoment();
      }
      assert.match((await call('echo', { text: 'still' })).text, /You said: still/);
    }));
});

describe('An MCP server that was silent for a while', function () {
  this.timeout(60_000);

  it('is pinged, and replaced when it does not respond', () =>
    withServer('mute-after-1', async ({ servers, server, clock, call, started }) => {
      await servers.check(await server(), signal);
      assert.match((await call('echo', { text: 'one' })).text, /You said: one/);
      clock.forward(30_000);
      assert.match((await hurried(clock, call('echo', { text: 'two' }))).text, /You said: two/);
      const [first, ...others] = await started();
      await untilGone(first);
      assert.equal(others.length, 1);
    }));

  it('is kept when it responds, even if it does not know the ping', () =>
    withServer('none', async ({ servers, server, clock, call, started }) => {
      await servers.check(await server(), signal);
      clock.forward(120_000);
      assert.match((await call('echo', { text: 'one' })).text, /You said: one/);
      assert.equal((await started()).length, 1);
    }));

  it('is also pinged after an abandoned call', () =>
    withServer('mute-after-1', async ({ servers, server, call, clock, started }) => {
      await servers.check(await server(), signal);
      await call('echo', { text: 'one' });
      await assert.rejects(servers.check(await server(), AbortSignal.timeout(200)), { name: 'AbortError' });
      assert.match((await hurried(clock, call('echo', { text: 'two' }))).text, /You said: two/);
      assert.equal((await started()).length, 2);
    }));
});

describe('An MCP server busy with an abandoned call', function () {
  this.timeout(60_000);

  it('is waited for, with a log entry, as long as it may still answer', () =>
    withServer('busy', async ({ servers, server, clock, started, folder }) => {
      const one = await server();
      await servers.check(one, signal);
      const [began, told] = [new Deferred<void>(), new Deferred<void>()];
      const onLine = ({ text }: { text: string }) => {
        if (text === 'thinking') began.resolve();
        if (/may still be busy/.test(text)) told.resolve();
      };
      await servers.followLog(one, { onLine, onEnd: () => undefined });
      const abort = new AbortController();
      const given = servers.ask(one, 'prompts/get', { name: 'slow' }, { signal: abort.signal });
      await began.promise;
      abort.abort();
      await assert.rejects(given, { name: 'AbortError' });
      const next = servers.check(one, signal);
      await hurried(clock, told.promise);
      await folder.write({ 'started.go': '' });
      assert.equal((await next).tools.length, 3);
      assert.equal((await started()).length, 1);
    }));
});

describe('An MCP server busy with a call', function () {
  this.timeout(60_000);

  it('is not pinged by the next call, however long that takes', () =>
    withServer('busy', async ({ servers, server, clock, started, folder }) => {
      const one = await server();
      await servers.check(one, signal);
      const began = new Deferred<void>();
      const onLine = ({ text }: { text: string }) => {
        if (text === 'thinking') began.resolve();
      };
      await servers.followLog(one, { onLine, onEnd: () => undefined });
      const abort = new AbortController();
      const first = servers.ask(one, 'prompts/get', { name: 'slow' }, { signal: abort.signal });
      await began.promise;
      clock.forward(60_000);
      const second = servers.check(one, signal);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      clock.forward(10_000);
      await folder.write({ 'started.go': '' });
      assert.equal((await second).tools.length, 3);
      assert.equal((await started()).length, 1);
      abort.abort();
      await assert.rejects(first, { name: 'AbortError' });
    }));
});

describe('An MCP server at a URL', function () {
  this.timeout(60_000);

  it('that was restarted and lost its session is reached by the second call', async () => {
    const port = await freePort();
    const launch = { type: 'http', url: `http://127.0.0.1:${port}/mcp`, command: undefined, args: undefined };
    await withServer(
      'none',
      async ({ servers, server }) => {
        const one = await server();
        await everythingAt('streamableHttp', port, () => servers.check(one, signal));
        await assert.rejects(servers.check(one, signal), /fetch failed|ECONNREFUSED|SSE stream|closed/i);
        await everythingAt('streamableHttp', port, async () => {
          assert.ok((await servers.start(one, signal)).tools.length > 10);
        });
      },
      launch,
    );
  });
});

describe('An MCP server that ends a session', function () {
  this.timeout(60_000);

  for (const refusal of [
    { status: 404, message: 'Session not found' },
    // Many servers were made from the example of the protocol's SDK, which answers like this.
    { status: 400, message: 'Bad Request: No valid session ID provided' },
    { status: 400, message: 'Bad Request: Server not initialized' },
  ]) {
    it(`gets a new session, in which the call is made once, after ${refusal.status} “${refusal.message}”`, () =>
      withSessionServer(async ({ url, counts, forget }) => {
        const launch = { type: 'http', url, command: undefined, args: undefined };
        await withServer(
          'none',
          async ({ servers, server, call }) => {
            const one = await server();
            await servers.check(one, signal);
            assert.match((await call('count')).text, /Call 1/);
            const { opened } = counts;
            const lines: string[] = [];
            await servers.followLog(one, { onLine: ({ text }) => void lines.push(text), onEnd: () => undefined });
            forget();
            const { text, status } = await call('count');
            assert.deepEqual([/Call \d/.exec(text)?.[0], status], ['Call 2', 'ok']);
            assert.doesNotMatch(lines.join('\n'), /is gone|no longer answered/, 'it was not lost');
            assert.equal(counts.opened, opened + 1);
            forget(true);
            assert.match((await call('count')).text, new RegExp(refusal.message));
            assert.equal(counts.calls, 2);
          },
          launch,
        );
      }, refusal));
  }
});

describe('An MCP server that does not start', function () {
  this.timeout(60_000);

  it('is reported with its invalid output and its last lines, without colors and secrets', () =>
    withServer(
      'colours',
      async ({ servers, server }) => {
        await assert.rejects(
          servers.check(await server(), signal),
          /^EngineError: The MCP server tides did not start: It ended with status 4\. It wrote something other than a message to its standard output: Welcome to the tides It last said: no port •••$/,
        );
      },
      token,
    ));

  it('for lack of a secret is retried as soon as the secret exists', () =>
    withServer(
      'none',
      async ({ servers, server }) => {
        for (let times = 0; times < 7; times++)
          await assert.rejects(servers.check(await server(), signal), /there is no secret MOON\.$/);
        const { state } = await server();
        assert.ok(state.kind === 'failed' && !state.isGivenUp);
      },
      { env: { TIDES_TOKEN: '{{MOON}}' } },
    ));
});
