import assert from 'node:assert/strict';
import { sameInOrder, sameJson } from '../../src/base/sameJson';

/** Two values, whether they are equal, and whether they are equal including the order of keys. */
const PAIRS: readonly [what: string, one: unknown, other: unknown, equal: boolean, inOrder: boolean][] = [
  ['the same text', 'a', 'a', true, true],
  ['different texts', 'a', 'b', false, false],
  ['a number and the same number as text', 1, '1', false, false],
  ['null and an object', null, {}, false, false],
  ['an object and null', {}, null, false, false],
  ['a text and an object', 'a', { a: 1 }, false, false],
  ['equal lists', [1, { a: 2 }], [1, { a: 2 }], true, true],
  ['lists that differ in their last item', [1, 2], [1, 3], false, false],
  ['lists that differ in their first item', [1, 2], [3, 2], false, false],
  ['a list and its beginning', [1, 2], [1], false, false],
  ['an empty list and an empty object', [], {}, false, false],
  ['a list and an object with the same keys', ['x'], { 0: 'x' }, false, false],
  ['an object and a list with the same keys', { 0: 'x' }, ['x'], false, false],
  ['equal objects', { a: 1, b: [true] }, { a: 1, b: [true] }, true, true],
  ['objects with another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, true, false],
  ['objects of which one has another key', { a: 1 }, { a: 1, b: 2 }, false, false],
  ['objects with different keys', { a: undefined }, { b: undefined }, false, false],
  ['objects that differ in their first value', { a: 1, b: 2 }, { a: 3, b: 2 }, false, false],
  ['objects that differ deep inside', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, false, false],
  ['objects with another order deep inside', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, true, false],
];

describe('The comparison of JSON values', () => {
  for (const [what, one, other, equal] of PAIRS) {
    it(`${equal ? 'takes for equal' : 'tells apart'}: ${what}`, () => assert.equal(sameJson(one, other), equal));
  }
});

describe('The comparison that counts the order of keys', () => {
  for (const [what, one, other, , inOrder] of PAIRS) {
    it(`${inOrder ? 'takes for equal' : 'tells apart'}: ${what}`, () => assert.equal(sameInOrder(one, other), inOrder));
  }
});
