import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('fs_ls', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());

  it('lists folders first, then files with sizes where empty or large, and resolves the kind of links', async () => {
    await world.write({ 'b.txt': 'abc', 'a.bin': Buffer.alloc(14_500), 'src/x.ts': '', 'docs/y.md': '', '.keep': '' });
    await symlink('src', path.join(world.workspace, 'link'));
    await symlink('nowhere', path.join(world.workspace, 'lost'));
    assert.equal(
      (await world.call('fs_ls', {})).text,
      'docs/\nsrc/\n.keep  0 B\na.bin  15 kB\nb.txt\nlink/ (link)\nlost  (broken link)',
    );
  });

  it('keeps a name that contains line breaks on one line', async () => {
    await world.write({ 'odd/a\nb.ts': 'text', 'odd/c\rd': 'text' });
    assert.equal((await world.call('fs_ls', { path: 'odd' })).text, '"a\\nb.ts"\n"c\\rd"');
    assert.equal(await world.failure('fs_ls', { path: 'odd/a b.ts' }), 'No folder odd/a b.ts. Nearby: "odd/a\\nb.ts".');
  });

  it('is limited in length, and reports it', async () => {
    await world.write(Object.fromEntries(Array.from({ length: 510 }, (_, at) => [`many/f${at}`, ''])));
    const lines = (await world.call('fs_ls', { path: 'many' })).text.split('\n');
    assert.equal(lines.length, 501);
    assert.equal(lines.at(-1), '... 10 more of 510 entries. Narrow it down with fs_glob.');
  });

  it('distinguishes files, empty folders and missing folders', async () => {
    await world.write({ 'src/a.ts': '' });
    await world.ports.files.makeDirectory(path.join(world.workspace, 'empty'));
    assert.equal((await world.call('fs_ls', { path: 'empty' })).text, 'empty is empty.');
    assert.equal(await world.failure('fs_ls', { path: 'src/a.ts' }), 'src/a.ts is a file. Read it with fs_read.');
    assert.equal(await world.failure('fs_ls', { path: 'scr' }), 'No folder scr. Nearby: src.');
  });
});
