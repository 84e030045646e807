import assert from 'node:assert/strict';
import { fileDiff } from '../../../../src/engine/tools/files/fileDiff';

const diffOf = (before: string | null, after: string) => fileDiff({ path: '/w/a', relativePath: 'a', before, after });

describe('fileDiff', () => {
  it('shows changed lines with three lines of context', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
    assert.deepEqual(diffOf(before, before.replace('line 10\n', 'ten\nmore\n')), {
      path: 'a',
      created: false,
      added: 2,
      removed: 1,
      hunks: [
        {
          oldStart: 7,
          newStart: 7,
          lines: [' line 7', ' line 8', ' line 9', '-line 10', '+ten', '+more', ' line 11', ' line 12', ' line 13'],
        },
      ],
    });
  });

  it('handles new and empty files', () => {
    assert.deepEqual(diffOf(null, 'a\nb'), {
      path: 'a',
      created: true,
      added: 2,
      removed: 0,
      hunks: [{ oldStart: 1, newStart: 1, lines: ['+a', '+b'] }],
    });
    assert.deepEqual(diffOf('', '').hunks, []);
    assert.equal(diffOf('a\n', '').removed, 1);
  });

  it('contains no markers for missing line endings, and no carriage returns', () => {
    assert.deepEqual(diffOf('a', 'a\n').hunks, [{ oldStart: 1, newStart: 1, lines: ['-a', '+a'] }]);
    assert.deepEqual(diffOf('a\r\nb\r\n', 'a\r\nc\r\n').hunks[0]?.lines, [' a', '-b', '+c']);
  });

  it('keeps lines that look like markers', () => {
    const { added, removed, hunks } = diffOf('-- a\n++ b\n', '-- a\n++ c\n\\ d\n');
    assert.deepEqual({ added, removed }, { added: 2, removed: 1 });
    assert.deepEqual(hunks[0]?.lines, [' -- a', '-++ b', '+++ c', '+\\ d']);
  });

  it('replaces texts with nothing in common as a whole', () => {
    const side = (name: string) => Array.from({ length: 40_000 }, (_, at) => `${name} ${at * 7919}\n`).join('');
    const { added, removed, hunks } = diffOf(`same\n${side('old')}end\n`, `same\n${side('new')}end\n`);
    assert.deepEqual({ added, removed, hunks: hunks.length }, { added: 40_000, removed: 40_000, hunks: 1 });
    assert.deepEqual([hunks[0]?.lines[0], hunks[0]?.lines.at(-1)], [' same', ' end']);
    assert.deepEqual([hunks[0]?.oldStart, hunks[0]?.newStart], [1, 1]);
    const above = Array.from({ length: 9 }, (_, at) => `above ${at}\n`).join('');
    const [below] = diffOf(`${above}${side('old')}`, `${above}${side('new')}`).hunks;
    assert.deepEqual([below?.oldStart, below?.newStart, below?.lines[0]], [7, 7, ' above 6']);
  });
});
