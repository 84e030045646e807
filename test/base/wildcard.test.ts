import assert from 'node:assert/strict';
import { matchesWildcard } from '../../src/base/matching';

describe('A wildcard pattern', () => {
  const CASES: readonly [pattern: string, text: string, matches: boolean][] = [
    ['fs_read', 'fs_read', true],
    ['fs_read', 'fs_read2', false],
    ['a.b', 'axb', false],
    ['fs_*', 'fs_read', true],
    ['fs_*', 'my_fs_read', false],
    ['*', '', true],
    ['?', '', false],
    ['a?c', 'abc', true],
    ['a*c', 'a\nb\nc', true],
    ['(a|b)*', '(a|b)c', true],
    ['(a|b)*', 'ac', false],
    ['[ab]?', '[ab]c', true],
    ['', '', true],
    ['', 'a', false],
    ['**', 'a', true],
    ['a**', 'a', true],
    ['a*', 'a', true],
    ['*?', '', false],
    ['*?', 'a', true],
    ['a?', 'a', false],
    ['*ab', 'aab', true],
    ['*ab', 'aba', false],
    ['a*b*c', 'abbc', true],
    ['a*b*c', 'acb', false],
    ['*.ts', 'a.ts.ts', true],
    ['src/*/x*y', 'src/a/b/x/y', true],
    ['src/*/x*y', 'src/a/b/x/yz', false],
    ['a*', 'b*', false],
    ['\\*', '\\d', true],
  ];
  for (const [pattern, text, matches] of CASES) {
    it(`${pattern} ${matches ? 'means' : 'does not mean'} ${JSON.stringify(text)}`, () => {
      assert.equal(matchesWildcard(pattern, text), matches);
    });
  }

  it('with many asterisks is matched at once, also where it does not match', () => {
    const letters = 'a'.repeat(5000);
    assert.equal(matchesWildcard(`${'*a'.repeat(40)}*b`, letters), false);
    assert.equal(matchesWildcard(`${'*a'.repeat(40)}*`, letters), true);
    assert.equal(matchesWildcard(`${'*?'.repeat(40)}b*`, letters), false);
  });
});
