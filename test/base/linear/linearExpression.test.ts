import assert from 'node:assert/strict';
import { linearExpression, NotLinear } from '../../../src/base/linear/linearExpression';

/** Expressions, and texts on which they must agree with the language. */
const CASES: readonly (readonly [source: string, flags: string, texts: readonly string[]])[] = [
  ['', '', ['', 'a']],
  ['a|', '', ['b']],
  ['^(?:git (?:push|pull)|npm .*)$', '', ['git push', 'git pull x', 'npm i', 'npm\ni', ' npm i']],
  ['^.$', 's', ['\n', 'a', '']],
  ['^.$', '', ['\n', '\u2028', 'a']],
  ['^.$', 'u', ['😀', '\ud83d', 'ab']],
  ['^.$', '', ['😀']],
  ['^[^a-c\\d]+$', 'i', ['xyz', 'xAz', 'x1']],
  ['ſ', 'iu', ['s', 'S', 'ſ']],
  ['ſ', 'i', ['s', 'S', 'ſ']],
  ['^b', 'm', ['a\nb', 'ab', 'a\r\nb']],
  ['a$', 'm', ['a\nb', 'ab']],
  ['\\bcat\\b', '', ['a cat.', 'concat', 'cat']],
  ['\\Bcat', '', ['concat', 'cat', ' cat']],
  ['a{2,3}b', '', ['ab', 'aab', 'aaaab', 'xaaab']],
  ['^a{2}$', '', ['a', 'aa', 'aaa']],
  ['^a{2,}?$', '', ['a', 'aa', 'aaa']],
  ['^(?:ab?){0,2}$', '', ['', 'ab', 'aab', 'aaa']],
  ['a{,2}', '', ['a{,2}', 'aa']],
  ['x{', '', ['x{', 'x']],
  ['^(?!.*--force)git push', '', ['git push', 'git push --force', 'git push -f']],
  ['^(?=.*a)(?=.*b).{2}$', '', ['ab', 'ba', 'aa', 'abc']],
  ['(?<=a)b', '', ['ab', 'cb', 'b']],
  ['(?<!a)b', '', ['ab', 'cb', 'b']],
  ['(?<=(?<!x)a+)b', '', ['aab', 'xab', 'xaab', 'b']],
  ['^(?:a(?=b)|b(?!a))+$', '', ['ab', 'abab', 'b', 'aab', 'abb']],
  ['(?=a)*b', '', ['b']],
  ['^(?:(?:)|a)*$', '', ['aa', 'ab']],
  ['[]', '', ['', 'a']],
  ['^[^]$', '', ['\n', '']],
  ['[\\]\\\\]', '', [']', '\\', 'a']],
  ['\\x41\\u0042\\cA', '', ['AB\u0001', 'AB']],
  ['^\\u{3}$', '', ['uuu', '\u0003']],
  ['^\\u{1F600}$', 'u', ['😀', 'u']],
  ['^\\ud83d\\ude00$', 'u', ['😀']],
  ['^\\p{Lu}+$', 'u', ['ÄB', 'äb']],
  ['^\\p{2}$', '', ['pp', 'p']],
  ['\\101\\0', '', ['A\0', '101']],
  ['\\8', '', ['8']],
  ['^\\k$', '', ['k']],
  ['(?<name>a)b', '', ['ab', 'b']],
];

describe('linearExpression', () => {
  it('matches what the language matches', () => {
    for (const [source, flags, texts] of CASES)
      for (const text of texts)
        assert.equal(
          linearExpression(source, flags)(text),
          new RegExp(source, flags).test(text),
          `/${source}/${flags} on ${JSON.stringify(text)}`,
        );
  });

  it('matches what the language matches, in random expressions', () => {
    const random = randomNumbers(11);
    for (let round = 0; round < 3000; round++) {
      const source = randomSource(random, 3);
      const flags = ['', 'i', 's', 'm', 'u'][random(5)] ?? '';
      const matches = linearExpression(source, flags);
      const native = new RegExp(source, flags);
      for (let at = 0; at < 8; at++) {
        const text = Array.from({ length: random(7) }, () => 'aAb \n'.charAt(random(5))).join('');
        assert.equal(matches(text), native.test(text), `/${source}/${flags} on ${JSON.stringify(text)}`);
      }
    }
  });

  const many = `${'a'.repeat(20_000)}!`;
  for (const source of ['(a+)+$', '^(a|a)*$', '^(?:.*a){20}b$', '^(?=(a+)+$)', '(?<=^(a+)+)b', '(?:|){30}b'])
    it(`answers at once for ${source}`, () => {
      // The language itself would take years.
      assert.equal(linearExpression(source)(many), false);
    });

  it('refuses what it cannot match in linear time', () => {
    for (const [source, flags] of [
      ['(a)\\1', ''],
      ['\\2(a)(b)', ''],
      ['(?<x>a)\\k<x>', ''],
      ['(a)\\1', 'u'],
      ['(?:a{1000}){1000}', ''],
      ['(?:){100000}', ''],
      [`${'('.repeat(300)}a${')'.repeat(300)}`, ''],
    ] as const)
      assert.throws(() => linearExpression(source, flags), NotLinear, source);
    const large = linearExpression('(?:a{90}){10}');
    assert.equal(large('b'.repeat(5000)), false);
    assert.throws(() => large('b'.repeat(6000)), NotLinear);
    assert.throws(() => linearExpression('('), SyntaxError);
  });
});

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomSource(random: (below: number) => number, depth: number): string {
  const pieces = Array.from({ length: random(4) }, () => {
    const marks = ['', '', '', '*', '+?', '?', '{2}', '{1,2}', '{0,}'];
    const isGroup = depth > 0 && random(3) === 0;
    if (!isGroup && random(6) === 0) return ['^', '$', '\\b', '\\B'][random(4)] ?? '';
    const inside = isGroup ? randomSource(random, depth - 1) : '';
    const look = ['(?=', '(?!', '(?<=', '(?<!'][random(4)] ?? '';
    if (isGroup && random(3) === 0) return `${look}${inside})`;
    const atom = isGroup
      ? `${random(2) ? '(' : '(?:'}${inside})`
      : (['a', 'b', '.', '[ab]', '[^a]', '\\w', '\\s'][random(7)] ?? '');
    return atom + (marks[random(marks.length)] ?? '');
  });
  const source = pieces.join('');
  return depth > 0 && random(4) === 0 ? `${source}|${randomSource(random, depth - 1)}` : source;
}
