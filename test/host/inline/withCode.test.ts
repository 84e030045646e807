import assert from 'node:assert/strict';
import { linesAfter, withCode } from '../../../src/host/editor/inline/editedText';

const lines = ['a', 'b', 'c', 'd', ''];
const place = { first: 1, end: 3 };

describe('A file with the lines of an answer', () => {
  it('contains them instead of the old ones, which stay until reached while streaming', () => {
    assert.deepEqual(withCode(lines, place, [], true), lines);
    assert.deepEqual(withCode(lines, place, ['B'], true), ['a', 'B', 'c', 'd', '']);
    assert.deepEqual(withCode(lines, place, ['B', 'C', 'D'], true), ['a', 'B', 'C', 'D', 'd', '']);
    assert.deepEqual(withCode(lines, place, ['B'], false), ['a', 'B', 'd', '']);
    assert.deepEqual(withCode(lines, place, [], false), ['a', 'd', '']);
  });

  it('keeps its final line ending, and has one line when none is left', () => {
    assert.deepEqual(withCode(lines, { first: 4, end: 5 }, ['e'], false), ['a', 'b', 'c', 'd', 'e', '']);
    assert.deepEqual(withCode(['a'], { first: 0, end: 1 }, [], false), ['']);
    assert.deepEqual(withCode([''], { first: 0, end: 1 }, ['a'], false), ['a']);
  });
});

describe('A line range in a changing file', () => {
  const at = (start: number, end: number, text: string) => ({
    range: { start: { line: start }, end: { line: end } },
    text,
  });

  it('moves with changes above it', () => {
    const far = { first: 10, end: 12 };
    assert.deepEqual(linesAfter(far, [at(20, 25, '')]), far);
    assert.deepEqual(linesAfter(far, [at(3, 3, 'x\ny\n')]), { first: 12, end: 14 });
    assert.deepEqual(linesAfter(far, [at(20, 20, 'x'), at(2, 4, '')]), { first: 8, end: 10 });
  });

  it('is touched by changes in it or next to it', () => {
    const far = { first: 10, end: 12 };
    for (const change of [at(9, 9, 'x'), at(11, 11, 'x'), at(12, 12, 'x'), at(0, 30, '')]) {
      assert.equal(linesAfter(far, [change]), undefined);
    }
  });
});
