import assert from 'node:assert/strict';
import { Mutex } from '../../src/base/async';
import { allowServers, shownStart } from '../../src/cli/mcp/allowServers';
import type { Terminal } from '../../src/cli/terminal';
import type { KnownServer } from '../../src/engine';
import { type OneServer, withOneMcpServer } from '../support/oneMcpServer';

/** Returns what the user sees about a server of the folder with these arguments. */
async function shown(...args: readonly string[]): Promise<string | undefined> {
  let server: KnownServer | undefined;
  const more = { command: 'node', args, cwd: undefined };
  await withOneMcpServer('none', async (world) => void (server = await world.server()), more, '.mcp.json');
  return shownStart(server ?? assert.fail());
}

describe('The launch line of a server to approve', () => {
  it('is shown in full or cannot be allowed', async () => {
    assert.equal(await shown('-e', 'say hello\nevil()'), "node -e 'say hello⏎evil()'");
    assert.equal(await shown('-e', 'x'.repeat(3000)), undefined);
    const hidden = `${'\u00a0'.repeat(600)}evil()${'\u2028'.repeat(600)}`;
    assert.equal(
      await shown('-e', hidden),
      undefined,
      'what is told of signs that nobody sees is longer than they are',
    );
  });

  it('is asked about only when it can be read in full', async () => {
    for (const [code, count] of [
      ['say hello', 1],
      ['x'.repeat(3000), 0],
    ] as const) {
      const more = { command: 'node', args: ['-e', code], cwd: undefined };
      const [said, asked] = [new Array<string>(), new Array<string>()];
      const screen: Terminal = {
        turns: new Mutex(),
        interrupt: () => undefined,
        say: (line) => void said.push(line),
        size: () => ({ columns: 0, rows: 0 }),
        ask: (prompt) => Promise.resolve(asked.push(prompt) > 0 ? 'y' : undefined),
      };
      const use = async ({ servers, place, server }: OneServer) => {
        await allowServers(servers, place, screen);
        assert.equal((await server()).consent.kind, count === 1 ? 'allowed' : 'unasked');
      };
      await withOneMcpServer('none', use, more, '.mcp.json');
      assert.equal(asked.length, count);
      assert.match(said.join('\n'), count === 1 ? /node -e 'say hello'/ : /too long to review, so it is not started/);
    }
  });
});
