import assert from 'node:assert/strict';
import type { KnownServer } from '../../../src/engine';
import { consentDetail } from '../../../src/host/mcp/consentDetail';
import { safeDialog } from '../../../src/base/shown/shownLines';
import { withOneMcpServer } from '../../support/oneMcpServer';

/** The dialog text for a server in the folder with these arguments, after one with the arguments `before` was allowed. */
async function detail(args: readonly string[], before?: readonly string[]): Promise<string | undefined> {
  let server: KnownServer | undefined;
  const more = (words: readonly string[]) => ({ command: 'node', args: words, cwd: undefined });
  await withOneMcpServer(
    'none',
    async ({ servers, server: find, folder }) => {
      if (before) await servers.consents.remember(await find(), true);
      await folder.write({ '.mcp.json': JSON.stringify({ mcpServers: { tides: more(args) } }) });
      server = await find();
    },
    more(before ?? args),
    '.mcp.json',
  );
  return consentDetail(server ?? assert.fail());
}

describe('The detail of a consent dialog', () => {
  it('is one line, next to what was allowed before', async () => {
    assert.equal(
      await detail(['-e', 'one()\n\nYou allowed before:\ntwo()']),
      "node -e 'one()⏎⏎You allowed before:⏎two()'",
    );
    assert.equal(await detail(['new.js'], ['old.js']), 'node new.js\n\nYou allowed before:\nnode old.js');
  });

  it('is shown in full, or cannot be allowed', async () => {
    const long = 'x'.repeat(1400);
    const both = (await detail(['new.js', long], ['old.js', long])) ?? assert.fail();
    assert.ok(safeDialog(both, 'exact').isWhole);
    assert.match(both, /^node new\.js x{1400}\n\nYou allowed before:\nnode old\.js x+ … \+\d+ … x+$/);
    for (const hidden of ['x'.repeat(3000), `${'\u00a0'.repeat(600)}evil()${'\u2028'.repeat(600)}`])
      assert.equal(await detail(['-e', hidden]), undefined);
  });
});
