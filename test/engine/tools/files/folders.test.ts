import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { removeFileTool } from '../../../../src/engine/tools/files/changingTools';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('fs_mkdir and fs_rm', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const kindOf = async (name: string) => {
    try {
      return (await world.ports.files.stat(path.join(world.workspace, name))).kind;
    } catch {
      return null;
    }
  };

  it('create a folder and its parents', async () => {
    assert.equal((await world.call('fs_mkdir', { path: 'a/b/c' })).text, 'Created the folder a/b/c.');
    assert.equal(await kindOf('a/b/c'), 'directory');
    assert.equal((await world.call('fs_mkdir', { path: 'a/b' })).text, 'The folder a/b already exists.');
    await world.write({ 'file.txt': '' });
    assert.match(await world.failure('fs_mkdir', { path: 'file.txt' }), /is a file/);
  });

  it('remove a file, and report that it is permanent where there is no trash', async () => {
    await world.write({ 'a.txt': '' });
    assert.equal(
      (await world.call('fs_rm', { path: 'a.txt' })).text,
      'Removed a.txt for good: there is no trash here.',
    );
    assert.equal(await kindOf('a.txt'), null);
    assert.match(await world.failure('fs_rm', { path: 'a.txt' }), /^No file a\.txt/);
  });

  it('move files to the trash where there is one', async () => {
    await world.write({ 'a.txt': '' });
    const trashed: string[] = [];
    const files = { ...world.ports.files, trash: (one: string) => Promise.resolve(void trashed.push(one)) };
    const bound = removeFileTool(files, world.ports.paths).bind({ path: 'a.txt' });
    assert.ok(bound.ok);
    assert.equal((await bound.call.run(world.context())).text, 'Removed a.txt; it is in the trash.');
    assert.deepEqual(trashed, [path.join(world.workspace, 'a.txt')]);
  });

  it('remove a folder only when requested (P-7.6)', async () => {
    await world.write({ 'dir/a': '', 'dir/sub/b': '' });
    assert.match(await world.failure('fs_rm', { path: 'dir' }), /is a folder with 2 entries\. Set recursive/);
    assert.equal(await kindOf('dir/a'), 'file');
    assert.match((await world.call('fs_rm', { path: 'dir', recursive: true })).text, /^Removed dir /);
    assert.equal(await kindOf('dir'), null);
  });

  it('never remove the workspace or a folder that contains it', async () => {
    for (const name of ['.', '..', '/', 'x/..', world.workspace]) {
      assert.match(await world.failure('fs_rm', { path: name, recursive: true }), /is the workspace or holds it/);
    }
  });

  it('remove a link, not its target', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(path.join(world.outside, 'elsewhere'));
    await symlink(path.join(world.outside, 'elsewhere'), path.join(world.workspace, 'link'));
    await world.call('fs_rm', { path: 'link' });
    assert.equal(await kindOf('link'), null);
    assert.equal(await kindOf('../elsewhere'), 'directory');
  });
});
