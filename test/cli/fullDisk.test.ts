import assert from 'node:assert/strict';
import { accessSync, chmodSync, chownSync, constants, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model', '--approve', 'all'];
const edit = { name: 'fs_edit', arguments: { path: 'big.txt', old_string: 'first line', new_string: 'changed line' } };
const NOBODY = 65_534;

describe('a machine that does not take what is written', function () {
  this.timeout(30_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('leaves the file as it was, tells the model, and goes on when a file would become too big', () =>
    inShell([{ call: [edit] }, (request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
      const contents = `first line\n${'more\n'.repeat(200_000)}`;
      await writeFile(join(folder, 'big.txt'), contents);
      const { status, out, err } = await cairn([...model, 'edit'], { before: 'ulimit -f 200' });
      assert.match(out, /larger than a file may be here/, err);
      assert.equal(status, 0);
      assert.equal(await readFile(join(folder, 'big.txt'), 'utf8'), contents);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
        [],
      );
    }));

  it('says that a file is read-only, and leaves it alone', function () {
    const isRoot = process.getuid?.() === 0;
    const needed = [join(repoRoot, 'dist', 'cairn.mjs'), process.execPath];
    if (isRoot && !needed.every(othersMayRead)) this.skip();
    const write = { name: 'fs_write', arguments: { path: 'locked/a.txt', contents: 'new' } };
    return inShell([{ call: [write] }, (request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
      await mkdir(join(folder, 'locked'));
      await writeFile(join(folder, 'locked', 'a.txt'), 'old');
      chmodSync(join(folder, 'locked', 'a.txt'), 0o444);
      if (isRoot) chownSync(folder, NOBODY, NOBODY);
      const { out, err } = await cairn([...model, 'write'], isRoot ? { uid: NOBODY } : {});
      assert.match(out, /a\.txt may not be read or changed by this user; check its permissions/, err);
      assert.equal(await readFile(join(folder, 'locked', 'a.txt'), 'utf8'), 'old');
    });
  });
});

/** Root may do everything, so that test is told by somebody else. */
function othersMayRead(file: string): boolean {
  accessSync(file, constants.R_OK);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  }
  return (statSync(file).mode & 0o004) !== 0;
}
