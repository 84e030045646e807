import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { watchServerFiles } from '../../../src/host/mcp/watchServerFiles';
import { nodePorts } from '../../../src/node/nodePorts';
import { until } from '../../editor/until';
import { temporaryFolder } from '../../node/temporaryFolder';

const { files, paths } = nodePorts();

describe('A change of MCP servers outside the editor', function () {
  this.timeout(60_000);

  it('is noticed in every file that may define servers, also in folders that did not exist', async () => {
    const folder = await temporaryFolder();
    await folder.write({ 'config/mcp.json': '{}', 'work/.mcp.json': '{}', 'work/src/a.ts': '' });
    const configFolder = join(folder.path, 'config');
    const place = { workspace: join(folder.path, 'work'), isHeard: true };
    let changes = 0;
    const watching = watchServerFiles({ files, paths, place, configFolder }, () => changes++);
    try {
      for (const path of [
        ...['config/mcp.json', 'work/.mcp.json', 'work/.cairn/mcp.json', 'work/.vscode/mcp.json'],
        ...['work/opencode.jsonc', 'work/.opencode/opencode.json'],
      ]) {
        const before = changes;
        await folder.write({ [path]: '{"mcpServers": {}}' });
        await until(`a change of ${path}`, () => changes > before);
      }
      const before = changes;
      await rm(join(folder.path, 'work/.mcp.json'));
      await until('the removed file', () => changes > before);
    } finally {
      watching.dispose();
      await folder.remove();
    }
  });
});
