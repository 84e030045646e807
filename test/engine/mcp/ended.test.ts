import assert from 'node:assert/strict';
import { isAbort } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { Question, QuestionAnswer } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import { isGone } from '../../support/isGone';
import { untilGone, withOneMcpServer as withServer } from '../../support/oneMcpServer';
import { ProtectedMcpServer } from '../../support/protectedMcpServer';
import { aMoment } from '../../support/aMoment';

const { signal } = new AbortController();

describe('An MCP server that is stopped', function () {
  this.timeout(60_000);

  it('exits before its replacement starts', () =>
    withServer('stubborn', async ({ servers, server, started }) => {
      const one = await server();
      await servers.check(one, signal);
      const [first = 0] = await started();
      const wasGone: boolean[] = [];
      await servers.followLog(one, {
        onLine: ({ text }) => {
          if (text === 'Starting.') wasGone.push(isGone(first));
        },
        onEnd: () => undefined,
      });
      const stopped = servers.stop(one);
      await servers.check(one, signal);
      await stopped;
      assert.deepEqual(wasGone, [false, true], 'the first time it is the one that is running');
    }));

  it('during a call leaves nothing waiting for its end', () =>
    withServer('none', async ({ servers, server, clock }) => {
      const one = await server();
      await servers.check(one, signal);
      const [asked, held] = [new Deferred<void>(), new Deferred<Record<string, string>>()];
      const values = () => {
        asked.resolve();
        return held.promise;
      };
      const under = servers.fillAddress(one, 'docs://{day}', values, signal);
      await asked.promise;
      await servers.stop(one);
      held.resolve({ day: 'monday' });
      assert.equal(await under, 'docs://monday');
      assert.equal(clock.sleeping, 0);
    }));

  it('while it starts is reported as stopped, not as failed', () =>
    withServer('hangs', async ({ servers, server, started }) => {
      const one = await server();
      const checked = servers.check(one, signal).catch((error: unknown) => error);
      while ((await started()).length === 0) await aMoment();
      await servers.stop(one);
      assert.equal((await server()).state.kind, 'stopped');
      const error = await checked;
      assert.ok(error instanceof Error && isAbort(error), String(error));
      await untilGone((await started())[0]);
    }));

  it('because the user signed in or out is replaced for the next call', async () => {
    const remote = await ProtectedMcpServer.start();
    const launch = { type: 'http', url: remote.url, command: undefined, args: undefined };
    const page = { show: (address: URL) => fetch(address).then(() => undefined) };
    try {
      await withServer(
        'none',
        async ({ servers, server }) => {
          const state = async () => (await server()).state;
          const one = await server();
          await assert.rejects(servers.check(one, signal), /requires you to sign in.* Sign in to tides\.$/);
          const refused = await state();
          assert.ok(refused.kind === 'failed' && refused.wantsSignIn);
          await servers.signIn(one, page, signal);
          assert.equal((await state()).kind, 'stopped');
          assert.equal((await servers.check(one, signal)).tools.length, 1);
          assert.equal(await servers.signOut(one), true);
          assert.equal((await state()).kind, 'stopped');
          await assert.rejects(servers.check(one, signal), /requires you to sign in/);
          assert.equal(await servers.signOut(one), false);
        },
        launch,
      );
    } finally {
      await remote.stop();
    }
  });
});

describe('A tool call to an MCP server', function () {
  this.timeout(60_000);

  it('is reported as cancelled, to the server too, when the user stops it, and the run continues', () =>
    withServer('none', async ({ servers, server }) => {
      await servers.check(await server(), signal);
      const story = [{ call: [{ name: 'mcp__tides__wait', arguments: {} }] }, { say: 'Done.' }];
      await withWorld({ story, agents: { toolSource: servers } }, async (world) => {
        const handle = world.run('go');
        let [started, told] = ['', ''];
        handle.subscribe((event) => {
          if (event.type === 'tool-started') started = event.callId;
          if (event.type === 'tool-finished') told = `${event.result.status}: ${event.result.text}`;
        });
        const heard = new Deferred<void>();
        const onLine = ({ text }: { text: string }) => {
          if (text === 'waiting') handle.stopCall(started);
          if (text === 'told to stop') heard.resolve();
        };
        await servers.followLog(await server(), { onLine, onEnd: () => undefined });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
        assert.equal(told, 'cancelled: Canceled by the user while it ran.');
        await heard.promise;
      });
    }));

  it("forwards the server's questions to the user, and continues with the answers", () =>
    withServer('asks-name', async ({ servers, server }) => {
      await servers.check(await server(), signal);
      const story = [{ call: [{ name: 'mcp__tides__echo', arguments: { text: 'x' } }] }, { say: 'Done.' }];
      const asked: string[] = [];
      const answer = ({ question, options }: Question): QuestionAnswer => {
        asked.push(question);
        return { kind: 'answered', texts: [options[0] ?? 'ada@example.com'] };
      };
      await withWorld({ story, answer, agents: { toolSource: servers } }, async (world) => {
        const { events } = await world.play('go');
        const told = events.map((event) => (event.type === 'tool-finished' ? event.result.text : '')).join('');
        assert.match(told, /"action":"accept","content":\{"email":"ada@example\.com"\}/);
      });
      assert.match(asked[0] ?? '', /^The MCP server “tides” has a question/);
    }));

  it('loses only the malformed part of a result', () =>
    withServer('bad-part', async ({ servers, server, call }) => {
      await servers.check(await server(), signal);
      const { status, text } = await call('echo', { text: 'x' });
      assert.equal(status, 'ok');
      assert.match(text, /\(an image in a format that models do not accept\)\nStill here\./);
    }));

  it('shows the beginnings of some of its progress messages, however many and long they are', () =>
    withServer('reports-endlessly', async ({ servers, server }) => {
      await servers.check(await server(), signal);
      const story = [{ call: [{ name: 'mcp__tides__echo', arguments: { text: 'x' } }] }, { say: 'Done.' }];
      await withWorld({ story, agents: { toolSource: servers } }, async (world) => {
        const { events } = await world.play('go');
        const shown = events.flatMap((event) => (event.type === 'tool-progress' ? [JSON.stringify(event)] : []));
        assert.ok(shown.length > 0, 'none is shown');
        assert.ok(shown.join('').length < 100_000, `${shown.join('').length} characters`);
        assert.ok(!shown.some((one) => one.includes('u001b')), 'a control character is shown');
      });
    }));
});
