import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeServers, readServers } from '../../../src/node/mcp/ownServerFile';
import { temporaryFolder, type TemporaryFolder } from '../temporaryFolder';

describe('A file of MCP servers that several windows change at once', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder.remove());

  const add = (name: string) => (servers: Readonly<Record<string, unknown>>) => {
    assert.ok(!Object.hasOwn(servers, name), 'it exists');
    return { ...servers, [name]: { command: name } };
  };

  it('keeps what each of them adds, and its comments', async () => {
    await folder.write({ 'mcp.json': '{\n  // Ours.\n  "mcpServers": {}\n}\n' });
    const file = join(folder.path, 'mcp.json');
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => changeServers(file, add(name))));
    assert.deepEqual(Object.keys(await readServers(file)).sort(), names);
    assert.match(await readFile(file, 'utf8'), /\/\/ Ours\./);
  });

  it('refuses a name that another window took after the file was read', async () => {
    const file = join(folder.path, 'new/mcp.json');
    assert.deepEqual(await readServers(file), {});
    const ends = await Promise.allSettled([changeServers(file, add('a')), changeServers(file, add('a'))]);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(await readServers(file), { a: { command: 'a' } });
  });
});
