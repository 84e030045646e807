import assert from 'node:assert/strict';
import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { FileSearch } from '../../../src/engine';
import { FileIndex } from '../../../src/host/context/fileIndex';
import { nodePaths } from '../../../src/node/nodePaths';

/** A folder with these files that counts how often it was listed. */
function listing(files: readonly string[]): FileSearch & { asked: number } {
  return {
    asked: 0,
    glob() {
      this.asked++;
      return Promise.resolve({ paths: files.map((file) => `/work/${file}`), complete: true });
    },
    grep: () => Promise.resolve({ matches: [], complete: true }),
  };
}

const never = new AbortController().signal;

describe('Fuzzy search for files', () => {
  const find = async (files: readonly string[], query: string) => {
    const found = await new FileIndex(listing(files), nodePaths(), () => 0).find(['/work'], query, 5, never);
    return found.map(({ relative }) => relative);
  };

  it('ranks file name matches above matches scattered over folders', async () => {
    const files = ['docs/a/t/e.md', 'src/deep/date.ts', 'src/update.ts', 'src/date/parse.ts'];
    assert.deepEqual((await find(files, 'date')).slice(0, 2), ['src/date', 'src/deep/date.ts']);
  });

  it('finds only files or only folders if requested, and all of them for an empty query', async () => {
    const index = new FileIndex(listing(['src/deep/date.ts', 'date.md', 'src/a.ts']), nodePaths(), () => 0);
    const names = async (query: string, only: 'file' | 'folder') =>
      (await index.find(['/work'], query, 5, never, only)).map(({ relative }) => relative);
    assert.deepEqual(await names('', 'folder'), ['src', 'src/deep']);
    assert.deepEqual(await names('', 'file'), ['date.md', 'src/a.ts', 'src/deep/date.ts']);
    assert.deepEqual(await names('de', 'folder'), ['src/deep']);
  });

  it('matches word beginnings and folders, ignoring case', async () => {
    assert.equal(
      (await find(['src/chatApprovalHandler.ts', 'src/chap.ts'], 'CHATAPP'))[0],
      'src/chatApprovalHandler.ts',
    );
    assert.equal((await find(['src/host/a.ts', 'src/engine/a.ts'], 'host/a'))[0], 'src/host/a.ts');
    assert.deepEqual(await find(['src/a.ts'], 'zz'), []);
  });

  it('lists a folder once while the user types, even one with very many files', async () => {
    const files = Array.from({ length: 50_000 }, (_, at) => `src/part${at % 300}/module${at}/file${at}.ts`);
    const search = listing(files);
    let now = 0;
    const index = new FileIndex(search, nodePaths(), () => now);
    await index.find(['/work'], 'f', 20, never);
    for (const query of ['fi', 'fil', 'file4', 'file49', 'file4999']) await index.find(['/work'], query, 20, never);
    assert.equal(search.asked, 1);
    now = 60_000;
    assert.equal(
      (await index.find(['/work'], 'file49999', 20, never))[0]?.relative,
      'src/part199/module49999/file49999.ts',
    );
    assert.equal(search.asked, 2);
  });

  it('keeps listing when the next keystroke cancels the previous search', async () => {
    const gate = new Deferred<void>();
    let asked = 0;
    const search: FileSearch = {
      async glob(_, signal) {
        asked++;
        await untilAborted(gate.promise, signal);
        return { paths: ['/work/src/date.ts'], complete: true };
      },
      grep: () => Promise.resolve({ matches: [], complete: true }),
    };
    const index = new FileIndex(search, nodePaths(), () => 0);
    const letters = ['d', 'da', 'dat'].map((query) => {
      const abort = new AbortController();
      const finding = index.find(['/work'], query, 5, abort.signal);
      abort.abort();
      return finding;
    });
    for (const finding of letters) await assert.rejects(finding, { name: 'AbortError' });
    const last = index.find(['/work'], 'date', 5, never);
    gate.resolve();
    assert.equal((await last)[0]?.relative, 'src/date.ts');
    assert.equal(asked, 1);
  });
});
