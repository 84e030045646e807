import assert from 'node:assert/strict';
import { replaceText } from '../../../../src/engine/tools/files/edit/proposeEdit';

/** A seeded generator of numbers below `limit`. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const PIECES = ['a', 'b', 'ab', ' ', '  ', '\n', '\n\n', '$&', '$1', '.*', '\\', '(', ']', 'ü', '😀', '\t', '{', '→'];

function randomText(random: (limit: number) => number, pieces: number): string {
  return Array.from({ length: pieces }, () => PIECES[random(PIECES.length)] ?? '').join('');
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}

describe('replaceText', () => {
  it('matches String replacement in 2000 random cases', () => {
    const seen = { replaced: 0, missing: 0, ambiguous: 0 };
    for (let seed = 1; seed <= 2000; seed++) {
      const random = seeded(seed);
      const text = randomText(random, 5 + random(60));
      const start = random(text.length);
      const part = random(5) === 0 ? randomText(random, 2) : text.slice(start, start + 1 + random(12));
      const now = randomText(random, random(6));
      const result = replaceText(text, part, now, false);
      seen[result.kind]++;
      const expected = occurrences(text, part);
      assert.equal(result.kind, expected === 0 ? 'missing' : expected === 1 ? 'replaced' : 'ambiguous', `seed ${seed}`);
      if (result.kind === 'replaced')
        assert.equal(
          result.text,
          text.replace(part, () => now),
          `seed ${seed}`,
        );
      const all = replaceText(text, part, now, true);
      if (all.kind === 'replaced')
        assert.equal(
          all.text,
          text.replaceAll(part, () => now),
          `seed ${seed}`,
        );
      else assert.equal(expected, 0);
    }
    assert.ok(Math.min(...Object.values(seen)) > 50, JSON.stringify(seen));
  });

  it('does the same for Windows line endings in 2000 random cases', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = seeded(seed * 31);
      const text = `${randomText(random, 5 + random(60))}\n`;
      const start = random(text.length);
      const part = text.slice(start, start + 1 + random(12));
      const now = randomText(random, random(6));
      const windows = (plain: string) => plain.replaceAll('\n', '\r\n');
      const result = replaceText(windows(text), part, now, true);
      assert.ok(result.kind === 'replaced');
      assert.equal(result.text, windows(text.replaceAll(part, () => now)), `seed ${seed}`);
    }
  });

  it('uses the line ending at that place in files that mix them', () => {
    const mixed = 'a\r\nb\r\nc\nd\n';
    assert.deepEqual(replaceText(mixed, 'c\nd', 'x\ny\nz', false), { kind: 'replaced', text: 'a\r\nb\r\nx\ny\nz\n' });
    assert.deepEqual(replaceText(mixed, 'a\nb', 'x\ny', false), { kind: 'replaced', text: 'x\r\ny\r\nc\nd\n' });
  });

  it('lists the lines of every match, including overlapping ones', () => {
    assert.deepEqual(replaceText('a\nb\na\na', 'a', 'x', false), { kind: 'ambiguous', lines: [1, 3, 4] });
    assert.deepEqual(replaceText('aaa', 'aa', 'x', false), { kind: 'ambiguous', lines: [1, 1] });
  });
});
