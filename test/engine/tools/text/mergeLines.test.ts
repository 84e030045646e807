import assert from 'node:assert/strict';
import { lineHunks } from '../../../../src/engine/tools/lineHunks';
import { mergeLines } from '../../../../src/engine/tools/mergeLines';

const merge = (base: string, ours: string, theirs: string) => {
  const { lines, overlaps } = mergeLines(base.split(''), ours.split(''), theirs.split(''));
  return { text: lines.join(''), overlaps };
};

describe('Two changes of one text', () => {
  it('are both in the result when they are far apart', () => {
    assert.deepEqual(merge('abcdef', 'abXdef', 'abcdefY'), { text: 'abXdefY', overlaps: [] });
    assert.deepEqual(merge('abcdef', 'abcdeX', 'Yabcdef'), { text: 'YabcdeX', overlaps: [] });
    assert.deepEqual(merge('abcdef', 'acdef', 'abcde'), { text: 'acde', overlaps: [] });
  });

  it('are both in the result on adjacent lines', () => {
    assert.deepEqual(merge('abcd', 'aXcd', 'abYd'), { text: 'aXYd', overlaps: [] });
  });

  it('are merged into one when they are the same', () => {
    assert.deepEqual(merge('abc', 'aXc', 'aXc'), { text: 'aXc', overlaps: [] });
  });

  it('overlap on the same lines: ours is kept and the place is reported', () => {
    assert.deepEqual(merge('abcd', 'aXcd', 'aYcd'), { text: 'aXcd', overlaps: [{ start: 1, end: 2 }] });
    assert.deepEqual(merge('abcd', 'ad', 'abYd'), { text: 'ad', overlaps: [{ start: 1, end: 1 }] });
  });

  it('overlap when both insert at one place, as their order is unclear', () => {
    assert.deepEqual(merge('ab', 'aXb', 'aYb'), { text: 'aXb', overlaps: [{ start: 1, end: 2 }] });
  });

  it('result in the other side’s text when one side changed nothing', () => {
    for (const other of ['', 'a', 'xbc', 'abcx', 'axbxc']) {
      assert.equal(merge('abc', 'abc', other).text, other);
      assert.equal(merge('abc', other, 'abc').text, other);
    }
  });
});

describe('The hunks of two texts', () => {
  it('turn one into the other, whatever the texts', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const text = () => Array.from({ length: random(12) }, () => 'abc'.charAt(random(3)));
    for (let round = 0; round < 500; round++) {
      const [before, after] = [text(), text()];
      const result = [...before];
      for (const { oldStart, oldEnd, newStart, newEnd } of lineHunks(before, after).reverse()) {
        result.splice(oldStart, oldEnd - oldStart, ...after.slice(newStart, newEnd));
      }
      assert.deepEqual(result, after);
    }
  });
});
