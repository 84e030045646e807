import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { LateMcpServers } from '../../../src/node/mcp/lateMcpServers';
import { nodePorts } from '../../../src/node/nodePorts';
import { until } from '../../editor/until';
import { faulty, withMcpServers } from '../../support/withMcpServers';
import { temporaryFolder } from '../temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const place = { workspace: tmpdir(), isHeard: false };

describe('MCP servers whose code is loaded late', () => {
  it('are not loaded while no file names any', async () => {
    const folder = await temporaryFolder();
    try {
      const late = new LateMcpServers(folder.path, ports, () => assert.fail('loaded'));
      assert.deepEqual(await late.allowed({ workspace: folder.path, isHeard: true }), []);
      await late.end();
    } finally {
      await folder.remove();
    }
  });

  it('are listed where they may start, and end when this is disposed', () =>
    withMcpServers({ one: faulty('beside') }, async (servers, all) => {
      const late = new LateMcpServers(tmpdir(), ports, () => Promise.resolve(servers));
      await late.servers();
      const [one = assert.fail(), ...more] = await late.allowed(place);
      assert.deepEqual([one.id, more], ['one', []]);
      await servers.check(one, new AbortController().signal);
      const state = async () => (await all())[0]?.state.kind;
      assert.equal(await state(), 'ready');
      late.dispose();
      await until('the server to end', async () => (await state()) !== 'ready');
    }));
});
