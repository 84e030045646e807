import assert from 'node:assert/strict';
import { shownStart } from '../../src/cli/mcp/allowServers';
import type { KnownServer } from '../../src/engine';
import { withOneMcpServer } from '../support/oneMcpServer';

/** What a person reads of a server of the folder with these arguments. */
async function shown(...args: readonly string[]): Promise<string | undefined> {
  let server: KnownServer | undefined;
  const more = { command: 'node', args, cwd: undefined };
  await withOneMcpServer('none', async (world) => void (server = await world.server()), more, '.mcp.json');
  return shownStart(server ?? assert.fail());
}

describe('what a person at a terminal allows', () => {
  it('is shown to its end, or cannot be allowed', async () => {
    assert.equal(await shown('-e', 'say hello\nevil()'), "node -e 'say hello⏎evil()'");
    assert.equal(await shown('-e', 'x'.repeat(3000)), undefined);
    const hidden = `${'\u00a0'.repeat(600)}evil()${'\u2028'.repeat(600)}`;
    assert.equal(
      await shown('-e', hidden),
      undefined,
      'what is told of signs that nobody sees is longer than they are',
    );
  });
});
