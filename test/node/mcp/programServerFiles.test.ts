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
    assert.deepEqual(pathsOf({}, '/home/me', 'linux'), [`/home/me/.config/${desktop}`, '/home/me/.claude.json']);
    assert.equal(pathsOf({ XDG_CONFIG_HOME: '/c' }, '/home/me', 'linux')[0], `/c/${desktop}`);
    assert.equal(pathsOf({}, '/Users/me', 'darwin')[0], `/Users/me/Library/Application Support/${desktop}`);
    assert.equal(pathsOf({ APPDATA: '/roaming' }, '/me', 'win32')[0], `/roaming/${desktop}`);
    assert.equal(pathsOf({}, '/me', 'win32')[0], `/me/AppData/Roaming/${desktop}`);
    assert.equal(pathsOf({ CLAUDE_CONFIG_DIR: '/claude' }, '/home/me', 'linux')[1], '/claude/.claude.json');
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
