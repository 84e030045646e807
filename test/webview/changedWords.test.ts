import assert from 'node:assert/strict';
import { changedWords } from '../../webview/transcript/tools/changedWords';
import { diffRows } from '../../src/base/shown/diffRows';

/** The lines of a diff, with the changed parts of each in brackets. */
function marked(...lines: string[]): string[] {
  const { rows } = diffRows([{ oldStart: 1, newStart: 1, lines }]);
  const words = changedWords(rows);
  return rows.flatMap((row) => {
    if (row.kind !== 'line') return [];
    let text = row.text;
    for (const { start, end } of [...(words.get(row) ?? [])].reverse())
      text = `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
    return [`${row.sign}${text}`];
  });
}

describe('The changed words of a diff', () => {
  it('are those missing on the other side', () => {
    assert.deepEqual(marked(' a', '-const size = 10;', '+const width = 12;', ' b'), [
      ' a',
      '-const [size] = [10];',
      '+const [width] = [12];',
      ' b',
    ]);
  });

  it('are found where a line was split in two', () => {
    assert.deepEqual(marked('-call(first, second);', '+call(', '+  first, second, third);'), [
      '-call(first, second);',
      '+call(',
      '+  first, second[, third]);',
    ]);
  });

  it('include the spaces between them', () => {
    assert.deepEqual(marked('-He said one two today, loudly', '+He said three four today, loudly'), [
      '-He said [one two] today, loudly',
      '+He said [three four] today, loudly',
    ]);
  });

  it('are not marked in a line that is entirely new', () => {
    assert.deepEqual(marked('-import a', '+return x ? y : z'), ['-import a', '+return x ? y : z']);
    assert.deepEqual(marked('+only added'), ['+only added']);
    assert.deepEqual(marked('-only removed'), ['-only removed']);
  });

  it('are not compared across separate hunks', () => {
    assert.deepEqual(marked('-let a = 1', ' between', '+let a = 2'), ['-let a = 1', ' between', '+let a = 2']);
  });

  it('are not split at letters with accents', () => {
    assert.deepEqual(marked('-the naïve café is here', '+the naïve cafè is here'), [
      '-the naïve [café] is here',
      '+the naïve [cafè] is here',
    ]);
  });

  it('are not computed where it would take long', () => {
    const long = (word: string) => `${word} ${'same '.repeat(5_000)}`;
    assert.deepEqual(marked(`-${long('a')}`, `+${long('b')}`), [`-${long('a')}`, `+${long('b')}`]);
    const half = (word: string) => `${word} ${'same '.repeat(2_500)}`;
    const parts = ['-x = 1', '+x = 2', ' ', `-${half('a')}`, `+${half('b')}`, ' ', `-${half('c')}`, `+${half('d')}`];
    const withMark = marked(...parts).flatMap((line) => /\[(.*?)\]/.exec(line)?.[1] ?? []);
    assert.deepEqual(withMark, ['1', '2', 'a', 'b'], 'of many parts as much as of one');
  });
});
