import assert from 'node:assert/strict';
import path from 'node:path';
import { nodePaths } from '../../src/node/nodePaths';

describe('nodePaths', () => {
  it('resolves and relates POSIX paths', () => {
    const paths = nodePaths(path.posix);
    assert.equal(paths.resolve('/work', 'src/../a.ts'), '/work/a.ts');
    assert.equal(paths.resolve('/work', '/etc/hosts'), '/etc/hosts');
    assert.equal(paths.relative('/work', '/work/src/a.ts'), 'src/a.ts');
    assert.equal(paths.relative('/work', '/etc'), '../etc');
    assert.equal(paths.relative('/work', '/work'), '');
    assert.ok(paths.isAbsolute('/a'));
    assert.equal(paths.isAbsolute('C:\\a'), false);
  });

  it('resolves and relates paths like Node, however they are written', () => {
    const paths = nodePaths(path.posix);
    const ends = [
      '',
      '/',
      'b',
      'b/',
      'b/c',
      '..',
      '../a',
      'b/../..',
      './b',
      'b//c',
      '..b',
      '...',
      '.b/.',
      'b/.c',
      'b\n/..',
    ];
    for (const base of ['/a', '/a/', '/', '/a/./b', '/a/..', '/a/b/d', '/a/bc', '/q/r', 'a', '']) {
      for (const part of [...ends, ...ends.map((end) => `/${end}`), '/a/b']) {
        assert.equal(paths.resolve(base, part), path.posix.resolve(base, part), `${part} from ${base}`);
        assert.equal(paths.resolve(base, part, 'c'), path.posix.resolve(base, part, 'c'), `${part} from ${base}`);
      }
      for (const to of [...ends.map((end) => `${base}/${end}`), ...ends.map((end) => `/a/${end}`), base, '/ab', 'a']) {
        assert.equal(paths.relative(base, to), path.posix.relative(base, to), `${base} to ${to}`);
      }
    }
  });

  it('resolves and relates Windows paths, also to another drive', () => {
    const paths = nodePaths(path.win32);
    assert.equal(paths.resolve('C:\\work', 'src/a.ts'), 'C:\\work\\src\\a.ts');
    assert.equal(paths.resolve('C:\\work', 'D:\\b.ts'), 'D:\\b.ts');
    assert.equal(paths.relative('C:\\work', 'C:\\work\\src\\a.ts'), 'src/a.ts');
    assert.ok(paths.relative('C:\\work', 'D:\\b.ts').startsWith('../'));
    assert.equal(paths.dirname('C:\\work\\a.ts'), 'C:\\work');
    assert.equal(paths.basename('C:\\work\\a.ts'), 'a.ts');
  });
});
