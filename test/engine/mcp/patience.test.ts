import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async';
import { withWorld } from '../../support/engineWorld';
import { hurried, type OneServer, withOneMcpServer as withServer } from '../../support/oneMcpServer';

const { signal } = new AbortController();

/** Checks the server and advances the clock by `ms` once the server has received the request that it never completes. */
async function checkedIn({ servers, server, clock }: OneServer, ms: number) {
  const one = await server();
  const asked = new Deferred<void>();
  const onLine = ({ text }: { text: string }) => {
    if (text === 'asked') asked.resolve();
  };
  await servers.followLog(one, { onLine, onEnd: () => undefined });
  const checked = servers.check(one, signal);
  await Promise.race([asked.promise, checked]);
  clock.forward(ms);
  return checked;
}

describe('An MCP server that never finishes', function () {
  this.timeout(60_000);

  it('listing its tools is reported as not having responded', () =>
    withServer('listless', (world) =>
      assert.rejects(checkedIn(world, 30_000), /Its tools are unknown: It did not list all of them in time\./),
    ));

  it('listing its resources keeps its tools available', () =>
    withServer('beside-listless', async (world) => {
      const { tools, problems } = await checkedIn(world, 10_000);
      assert.equal(tools.length, 3);
      assert.match(problems.join('\n'), /^Its resources are unknown: It did not list all of them in time\.$/m);
    }));

  it('starting does not hide the tools of others', () =>
    withServer('none', async ({ servers, server, clock, folder }) => {
      const { launch } = await server();
      assert.ok(launch.type === 'stdio');
      const [file = ''] = launch.args;
      const one = (fault: string) => ({ ...launch, offer: 'search', args: [file, fault] });
      const mcpServers = { tides: one('none'), silent: one('hangs') };
      await folder.write({ 'config/mcp.json': JSON.stringify({ mcpServers }) });
      await servers.check(await server(), signal);
      const story = [{ call: [{ name: 'mcp_search', arguments: { query: 'text' } }] }, { say: 'Done.' }];
      await withWorld({ story, agents: { toolSource: servers } }, async (world) => {
        const { events } = await hurried(clock, world.play('go'));
        const told = events.map((event) => (event.type === 'tool-finished' ? event.result.text : '')).join('');
        const found = '<result>\nmcp__tides__echo: Says the text again.\n</result>\n';
        assert.ok(told.endsWith(`${found}silent has not listed its tools yet: search again later.`), told);
      });
    }));

  it('changing its tools is queried a few times, then once after a call', () =>
    withServer('restless', async ({ servers, server, call }) => {
      const one = await server();
      let lists = 0;
      let rests = new Deferred<void>();
      const onLine = ({ text }: { text: string }) => {
        if (text === 'listed') lists++;
        if (/keeps announcing/.test(text)) rests.resolve();
      };
      await servers.followLog(one, { onLine, onEnd: () => undefined });
      await servers.check(one, signal);
      await rests.promise;
      const before = lists;
      assert.ok(before <= 7, `${before}`);
      rests = new Deferred();
      assert.match((await call('echo', { text: 'one' })).text, /You said: one/);
      await rests.promise;
      assert.ok(lists > before && lists <= before + 7, `${lists}`);
    }));
});
