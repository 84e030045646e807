import assert from 'node:assert/strict';
import { join } from 'node:path';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { CommandLoader } from '../../../src/engine/commands/commandLoader';
import { ServerFiles } from '../../../src/engine/mcp/readServers';
import { configuredInstructions } from '../../../src/engine/prompt/importedInstructions';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('The settings of OpenCode', () => {
  it('are read once for agents, commands, instructions, and MCP servers, and again when they change', async () => {
    const folder = await temporaryFolder();
    try {
      const settings = join(folder.path, 'opencode.json');
      let reads = 0;
      const real = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
      const files = {
        ...real.files,
        readFile: (path: string) => {
          if (path === settings) reads++;
          return real.files.readFile(path);
        },
      };
      const ports = { ...real, files };
      const root = { folder: settings, within: folder.path, scope: 'workspace', world: 'opencode' } as const;
      const all = async () => {
        const place = { workspace: folder.path, ports };
        const [agents, commands, { instructions }, servers] = await Promise.all([
          new AgentLoader(ports).readRoot(root),
          new CommandLoader(ports).readRoot(root),
          configuredInstructions('opencode.json', place),
          new ServerFiles(join(folder.path, 'config'), ports).read({ workspace: folder.path, isHeard: true }),
        ]);
        const named = [agents.items, commands.items].flat().map(({ name }) => name);
        return [...named, ...instructions.map(({ text }) => text), ...servers.servers.map(({ id }) => id)];
      };
      const withServer = (id: string) =>
        folder.write({
          'notes.md': 'Be brief.',
          'opencode.json': JSON.stringify({
            agent: { gardener: { description: 'Prunes', prompt: 'Prune.' } },
            command: { water: { template: 'Water it.' } },
            instructions: ['notes.md'],
            mcp: { [id]: { type: 'local', command: ['x'] } },
          }),
        });
      await withServer('tides');
      assert.deepEqual(await all(), ['gardener', 'water', 'Be brief.', 'tides']);
      assert.deepEqual(await all(), ['gardener', 'water', 'Be brief.', 'tides']);
      assert.equal(reads, 1);
      await withServer('weather');
      assert.deepEqual(await all(), ['gardener', 'water', 'Be brief.', 'weather']);
      assert.equal(reads, 2);
    } finally {
      await folder.remove();
    }
  });
});
