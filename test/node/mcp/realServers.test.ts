import assert from 'node:assert/strict';
import { repoRoot } from '../../editor/repoRoot';
import { LARGE_SERVERS, SMALL_SERVERS } from '../../support/realServers';
import { tryServer } from '../../support/tryServer';

describe('A published MCP server', function () {
  this.timeout(60_000);

  const root = process.env['CAIRN_REAL_SERVERS'];
  const node = Number(process.versions.node.split('.')[0]);
  const all = [
    ...SMALL_SERVERS.map((server) => ({ server, at: repoRoot })),
    ...(root === undefined ? [] : LARGE_SERVERS.map((server) => ({ server, at: root }))),
  ];
  for (const { server, at } of all.filter((one) => (one.server.node ?? 20) <= node))
    it(`can be called by an agent, and leaves no process behind: ${server.name}`, async () => {
      const { tools, problems, answer } = await tryServer(server, at);
      assert.ok(tools > 0);
      assert.deepEqual(
        problems.filter((problem) => !server.leftOut?.test(problem)),
        [],
      );
      assert.match(answer, server.answer);
    });
});
