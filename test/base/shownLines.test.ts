import assert from 'node:assert/strict';
import { brokenRows, safeDialog, shownLines } from '../../src/base/shown/shownLines';

const textsOf = (text: string) => shownLines(text, 'code').lines.map((line) => line.text);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

describe('Text that is shown before it runs', () => {
  it('keeps up to three blank lines and folds more into a note with their number', () => {
    assert.deepEqual(textsOf('a\n\n\n\nb'), ['a', '', '', '', 'b']);
    assert.deepEqual(textsOf('a\n\n\n\n\nb'), ['a', '+4 lines, all blank', 'b']);
  });

  it('folds blank lines at the end as well', () => {
    assert.deepEqual(shownLines('a\n \n\t\n\n', 'code').lines, [
      { text: 'a', isNote: false },
      { text: '+4 lines, all blank', isNote: true },
    ]);
  });

  it('never shows its own words as those of a note', () => {
    assert.deepEqual(shownLines('+4 lines, all blank', 'code').lines, [{ text: '+4 lines, all blank', isNote: false }]);
  });
});

describe('Text in a dialog', () => {
  it('is whole up to 30 lines', () => {
    const text = numbered(30).join('\n');
    assert.deepEqual(safeDialog(text, 'code'), { text, warning: null, isWhole: true });
  });

  it('keeps the first and the last 15 of more lines, says how many are missing, and is not whole', () => {
    const { text, isWhole } = safeDialog(numbered(33).join('\n'), 'code');
    assert.deepEqual(text.split('\n'), [...numbered(15), '… +3 lines …', ...numbered(33).slice(18)]);
    assert.equal(isWhole, false);
  });

  it('is whole up to 2,000 characters, and shortened in the middle above', () => {
    const words = 'abcdefghi '.repeat(200).trimEnd();
    assert.equal(safeDialog(`${words}.`, 'code').isWhole, true);
    const { text, isWhole } = safeDialog(`${words}.${'z'.repeat(7)}`, 'code');
    assert.equal(isWhole, false);
    assert.equal(text, `${words.slice(0, 1000)} … +7 … ${`${words}.zzzzzzz`.slice(-1000)}`);
  });

  it('is not cut within a character', () => {
    const { text } = safeDialog('😀'.repeat(1500), 'code');
    assert.ok(text.isWellFormed());
    const odd = safeDialog(`x${'😀'.repeat(1500)}y`, 'code').text;
    assert.ok(odd.isWellFormed());
  });
});

describe('A line broken into rows', () => {
  it('breaks between words', () => assert.deepEqual(brokenRows('one two three', 9), ['one two ', 'three']));

  it('breaks a word that would leave more than 24 columns free', () => {
    assert.deepEqual(brokenRows(`a ${'b'.repeat(40)}`, 30), [`a ${'b'.repeat(28)}`, 'b'.repeat(12)]);
    assert.deepEqual(brokenRows(`abcdef ${'b'.repeat(30)}`, 30), ['abcdef ', 'b'.repeat(30)]);
  });

  it('fills a row to its last column', () => assert.deepEqual(brokenRows('abcdef', 3), ['abc', 'def']));

  it('counts every character outside ASCII as two columns', () => {
    assert.deepEqual(brokenRows('äöü', 4), ['äö', 'ü']);
    assert.deepEqual(brokenRows('a äöü', 5), ['a ', 'äö', 'ü']);
  });
});
