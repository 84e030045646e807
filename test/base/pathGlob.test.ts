import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { pathGlob } from '../../src/base/pathGlob';
import { seededRandom } from '../support/seededRandom';

const isMatch = (glob: string, path: string) => pathGlob(glob)?.(path);

describe('A glob of paths', () => {
  const CASES: readonly [glob: string, matching: readonly string[], others: readonly string[]][] = [
    ['*.ts', ['a.ts', '.ts', '.a.ts'], ['a.tsx', 'src/a.ts', 'ats']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/b/.c.ts'], ['a.js', 'src/a.ts/b']],
    ['**.ts', ['a.ts', 'src/b/a.ts'], ['a.js']],
    ['src/**', ['src/a', 'src/a/b.c'], ['lib/a', 'srcs/a', 'src']],
    ['**', ['a', 'src/a'], []],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts'], ['src/test/a/b.ts', 'test/a.ts']],
    ['a?c', ['abc', 'a.c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[^a]x', ['bx'], ['ax']],
    ['[]a]x', [']x', 'ax'], ['bx']],
    ['[ax', ['[ax'], ['ax']],
    ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js', 'a.{ts,tsx}']],
    ['{src,lib}/**/*.{js,{ts,tsx}}', ['src/a.js', 'lib/b/c.tsx'], ['src/a.css', 'test/a.js']],
    ['a{b}c', ['a{b}c'], ['abc']],
    ['{a,b', ['{a,b'], ['a']],
    ['{,a}b', ['b', 'ab'], ['cb']],
    ['*.@(js|ts)', ['a.js', 'a.ts'], ['a.css']],
    ['!(*.ts)', ['a.js', 'b'], ['a.ts']],
    ['**/!(*.test|index).ts', ['a.ts', 'src/tests.ts'], ['a.test.ts', 'src/index.ts', 'a.js']],
    ['\\*.ts', ['*.ts'], ['a.ts']],
    ['a.b+c(d)$', ['a.b+c(d)$'], ['axbcd']],
  ];
  for (const [glob, matching, others] of CASES) {
    it(`${glob} matches what it says`, () => {
      for (const path of matching) assert.equal(isMatch(glob, path), true, path);
      for (const path of others) assert.equal(isMatch(glob, path), false, path);
    });
  }

  it('matches as the usual library does, for random globs and paths', () => {
    const next = seededRandom(11);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] ?? assert.fail();
    const some = (pieces: readonly string[], most: number) =>
      Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(pieces)).join('');
    for (let round = 0; round < 3000; round++) {
      const part = () => pick(['**', '*', some(['a', 'b', '*', '?', '.', 'ts', '[ab]', '{a,b}', '{ts,a*}'], 3)]);
      const glob = Array.from({ length: 1 + Math.floor(next() * 3) }, part).join('/');
      const path = Array.from({ length: 1 + Math.floor(next() * 4) }, () => some(['a', 'b', '.', 'ts', 'ab'], 3)).join(
        '/',
      );
      // The library gives names of dots alone, and stars next to each other, a meaning of their own.
      if (/(^|\/)\.+(\/|$)/.test(`${path}/${glob}`) || /\*\*[^/]|[^/]\*\*|\*\{|\}\*/.test(glob)) continue;
      // It also takes `a/**` for the folder itself.
      if (glob.endsWith('/**') && path.split('/').length < glob.split('/').length) continue;
      const expected = picomatch(glob, { dot: true, nonegate: true, noextglob: true })(path);
      assert.equal(isMatch(glob, path), expected, `${glob} and ${path}`);
    }
  });

  it('is none with other parentheses, with too many braces, or if it is too long', () => {
    for (const glob of [
      '!(a|!(b))',
      '!(a)!(b)',
      '+(a*)b',
      '*(a)',
      '?(a)',
      '@(a|@(b|c))'.repeat(2),
      '{a,b}'.repeat(8),
      `{${'a,'.repeat(150)}}`,
      'a'.repeat(1001),
    ])
      assert.equal(pathGlob(glob), undefined, glob);
  });

  it('is matched at once, however many stars it has', () => {
    const name = 'a'.repeat(200);
    assert.equal(isMatch(`${'*a'.repeat(40)}*b`, name), false);
    assert.equal(isMatch(`${'**/a/'.repeat(60)}b`, 'a/'.repeat(400)), false);
    assert.equal(isMatch(`${'**/*a*a*a*/'.repeat(40)}b`, `${name}/`.repeat(40)), false);
    assert.equal(isMatch(`{${'*a'.repeat(40)},${'a*'.repeat(40)}}b`, name), false);
    assert.equal(isMatch('{'.repeat(900), 'a'), false);
    assert.equal(isMatch('{a,'.repeat(300), 'a'), false);
  });
});
