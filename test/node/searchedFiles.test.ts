import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSearch } from '../../src/engine';
import { nodeFileSearch } from '../../src/node/nodeFileSearch';
import { ripgrepHere } from './ripgrepHere';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder';

const searches: [string, FileSearch][] = [
  ['by walking', nodeFileSearch({ ripgrepCandidates: [], env: {} })],
  ['with ripgrep', nodeFileSearch({ ripgrepCandidates: [ripgrepHere()], env: {} })],
];
const { signal } = new AbortController();

for (const [how, search] of searches) {
  describe(`A search ${how}`, () => {
    let folder: TemporaryFolder;
    beforeEach(async () => {
      folder = await temporaryFolder();
    });
    afterEach(() => folder.remove());
    const linesOf = async (pattern: string, root = folder.path) =>
      (await search.grep({ root, pattern, limit: 10 }, signal)).matches.map(({ text }) => text);

    it('finds text in files that are not UTF-8, as the read tools show it', async () => {
      await writeFile(join(folder.path, 'old.txt'), Buffer.from('Gr\xf6\xdfe: 5 \x80\n', 'latin1'));
      for (const pattern of ['Größe', '(?i)GRÖßE', 'Gr[äö]ß', '5 €', 'Gr..e', '\\€$']) {
        assert.deepEqual(await linesOf(pattern), ['Größe: 5 €'], pattern);
      }
    });

    it('skips pipes, which may never end', async () => {
      execFileSync('mkfifo', [join(folder.path, 'pipe.txt')]);
      await folder.write({ 'a.txt': 'alpha\n' });
      assert.deepEqual(await linesOf('alpha'), ['alpha']);
      await assert.rejects(linesOf('alpha', join(folder.path, 'pipe.txt')), /neither a file nor a folder/);
    });
  });
}

describe('A search by walking', () => {
  it('ignores a pipe in place of a .gitignore', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder.path, 'sub'));
    execFileSync('mkfifo', [join(folder.path, 'sub', '.gitignore')]);
    await folder.write({ 'sub/a.txt': 'alpha\n' });
    const [[, search] = assert.fail()] = searches;
    const { matches } = await search.grep({ root: folder.path, pattern: 'alpha', limit: 10 }, signal);
    assert.equal(matches.length, 1);
    await folder.remove();
  });
});
