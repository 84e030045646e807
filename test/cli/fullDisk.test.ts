import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model', '--approve', 'all'];
const edit = { name: 'fs_edit', arguments: { path: 'big.txt', old_string: 'first line', new_string: 'changed line' } };

describe('A failing write', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('leaves a file unchanged when it would grow too large, tells the model, and continues', () =>
    inShell([{ call: [edit] }, (request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
      const contents = `first line\n${'more\n'.repeat(200_000)}`;
      await writeFile(join(folder, 'big.txt'), contents);
      const { status, out, err } = await cairn([...model, 'edit'], { before: 'ulimit -f 200' });
      assert.match(out, /would exceed the maximum file size/, err);
      assert.equal(status, 0);
      assert.equal(await readFile(join(folder, 'big.txt'), 'utf8'), contents);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
        [],
      );
    }));

  it('reports a read-only file and leaves it alone', () => {
    const write = { name: 'fs_write', arguments: { path: 'locked/a.txt', contents: 'new' } };
    const read = { name: 'fs_read', arguments: { path: 'locked/a.txt' } };
    return inShell(
      [{ call: [read] }, { call: [write] }, (request) => ({ say: request.lastText })],
      async ({ cairn, folder }) => {
        await mkdir(join(folder, 'locked'));
        await writeFile(join(folder, 'locked', 'a.txt'), 'old');
        chmodSync(join(folder, 'locked', 'a.txt'), 0o444);
        const { out, err } = await cairn([...model, 'write'], { withoutRoot: true });
        assert.match(out, /a\.txt cannot be read or changed by this user; check its permissions/, err);
        assert.equal(await readFile(join(folder, 'locked', 'a.txt'), 'utf8'), 'old');
      },
    );
  });
});
