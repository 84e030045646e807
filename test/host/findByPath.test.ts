import assert from 'node:assert/strict';
import { findByPath } from '../../src/host/editor/findByPath';

const at = (fsPath: string) => ({ uri: { fsPath } });

describe('The open editor of a path', () => {
  it('is found on Windows whatever the drive letter, the case and the slashes', () => {
    const open = at('c:\\Work\\a.ts');
    for (const path of ['c:\\Work\\a.ts', 'C:\\Work\\a.ts', 'C:\\work\\A.ts', 'C:/Work/a.ts']) {
      assert.equal(findByPath([at('c:\\Work\\b.ts'), open], path, 'win32'), open, path);
    }
    assert.equal(findByPath([open], 'd:\\Work\\a.ts', 'win32'), undefined);
  });

  it('is the one with the same case if present, and only that one on Linux', () => {
    const [small, large] = [at('/work/a.ts'), at('/work/A.ts')];
    assert.equal(findByPath([small, large], '/work/A.ts', 'darwin'), large);
    assert.equal(findByPath([small], '/work/A.ts', 'darwin'), small);
    assert.equal(findByPath([small], '/work/A.ts', 'linux'), undefined);
  });
});
