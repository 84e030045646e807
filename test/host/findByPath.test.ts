import assert from 'node:assert/strict';
import { findByPath } from '../../src/host/editor/findByPath';

const at = (fsPath: string) => ({ uri: { fsPath } });

describe('the open editor of a path', () => {
  it('is found on Windows whatever the letter of the drive, the case and the slashes', () => {
    const open = at('c:\\Work\\a.ts');
    for (const path of ['c:\\Work\\a.ts', 'C:\\Work\\a.ts', 'C:\\work\\A.ts', 'C:/Work/a.ts']) {
      assert.equal(findByPath([at('c:\\Work\\b.ts'), open], path, 'win32'), open, path);
    }
    assert.equal(findByPath([open], 'd:\\Work\\a.ts', 'win32'), undefined);
  });

  it('is that of the same case where there is one, and of no other on Linux', () => {
    const [small, large] = [at('/work/a.ts'), at('/work/A.ts')];
    assert.equal(findByPath([small, large], '/work/A.ts', 'darwin'), large);
    assert.equal(findByPath([small], '/work/A.ts', 'darwin'), small);
    assert.equal(findByPath([small], '/work/A.ts', 'linux'), undefined);
  });
});
