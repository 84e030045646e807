import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LateMcpServers } from '../../../src/node/mcp/lateMcpServers';
import { programServerFiles } from '../../../src/node/mcp/programServerFiles';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryDir } from '../../tasks/temporaryDir';

const pathsOf = (...given: Parameters<typeof programServerFiles>) =>
  programServerFiles(...given).map(({ path }) => path.replaceAll('\\', '/'));

describe('Other programs’ MCP server files', () => {
  it('are found where each system has them, and where the environment says', () => {
    const desktop = 'Claude/claude_desktop_config.json';
    const openCode = ['config.json', 'opencode.json', 'opencode.jsonc'];
    assert.deepEqual(pathsOf({}, '/home/me', 'linux'), [
      ...openCode.map((name) => `/home/me/.config/opencode/${name}`),
      ...[`/home/me/.config/${desktop}`, '/home/me/.claude.json'],
    ]);
    const moved = pathsOf({ XDG_CONFIG_HOME: '/c' }, '/home/me', 'linux');
    assert.deepEqual([moved[0], moved.at(-2)], ['/c/opencode/config.json', `/c/${desktop}`]);
    assert.equal(pathsOf({}, '/Users/me', 'darwin').at(-2), `/Users/me/Library/Application Support/${desktop}`);
    assert.equal(pathsOf({ APPDATA: '/roaming' }, '/me', 'win32').at(-2), `/roaming/${desktop}`);
    assert.equal(pathsOf({}, '/me', 'win32').at(-2), `/me/AppData/Roaming/${desktop}`);
    assert.equal(pathsOf({ CLAUDE_CONFIG_DIR: '/claude' }, '/home/me', 'linux').at(-1), '/claude/.claude.json');
  });

  it('cost a run nothing before the user has allowed one of their servers', async () => {
    const folder = temporaryDir('cairn-programs-');
    const config = join(folder, 'config');
    await mkdir(config);
    const made = new Error('made');
    const servers = new LateMcpServers(config, nodePorts(), () => Promise.reject(made));
    const place = { workspace: folder, isHeard: false };
    assert.equal(await servers.ifAny(place), undefined);
    await writeFile(join(config, 'mcp-consents.json'), '{"servers": []}');
    await assert.rejects(servers.ifAny(place), made);
  });
});
