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
  ];
  for (const [pattern, text, matches] of CASES) {
    it(`${pattern} ${matches ? 'means' : 'does not mean'} ${JSON.stringify(text)}`, () => {
      assert.equal(matchesWildcard(pattern, text), matches);
      assert.equal(matchesWildcard(pattern, text), matches, 'the second time, from what was kept');
    });
  }

  it('still matches correctly with more patterns than the cache keeps', () => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 1200; index++) {
        assert.ok(matchesWildcard(`tool${index}_*`, `tool${index}_x`));
        assert.ok(!matchesWildcard(`tool${index}_*`, `tool${index + 1}_x`));
      }
    }
  });
});
