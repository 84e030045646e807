import assert from 'node:assert/strict';
import { applyPatch, structuredPatch } from 'diff';
import { changedMiddle, fileDiff } from '../../../../src/engine/tools/files/fileDiff';
import { seededRandom } from '../../../support/seededRandom';

const CONTEXT = 3;

describe('The differing middle of two texts', () => {
  it('is small for one changed line in nine megabytes, and the diff names the right lines', () => {
    const lines = Array.from({ length: 180_000 }, (_, at) => `const value${at} = compute(${at}, 'some text');\n`);
    const before = lines.join('');
    const after = lines.with(90_000, 'changed\n').join('');
    const middle = changedMiddle(before, after, CONTEXT);
    assert.ok(middle.before.length + middle.after.length < 1000);
    const { hunks, added, removed } = fileDiff({ path: '/w/a', relativePath: 'a', before, after });
    assert.deepEqual([added, removed, hunks.length], [1, 1, 1]);
    const [hunk] = hunks;
    assert.deepEqual([hunk?.oldStart, hunk?.newStart], [89_998, 89_998]);
    assert.equal(hunk?.lines[0], ` ${lines[89_997]?.trimEnd()}`);
    assert.deepEqual(hunk.lines.slice(3, 5), [`-${lines[90_000]?.trimEnd()}`, '+changed']);
  });

  it('yields the same change with its context for any two texts', () => {
    const random = seededRandom(9);
    const below = (most: number) => Math.floor(random() * most);
    const text = () => Array.from({ length: below(14) }, () => ['a', 'b', '', 'ab\r'][below(4)]).join('\n');
    for (let round = 0; round < 3000; round++) {
      const [head, tail] = [text(), text()];
      const [before, after] = [`${head}${text()}${tail}`, `${head}${text()}${tail}`];
      const { linesAbove, ...middle } = changedMiddle(before, after, CONTEXT);
      const patch = structuredPatch('', '', middle.before, middle.after, '', '', { context: CONTEXT });
      for (const hunk of patch.hunks) {
        hunk.oldStart += linesAbove;
        hunk.newStart += linesAbove;
      }
      assert.equal(applyPatch(before, patch), after, JSON.stringify({ before, after }));
      const [first] = patch.hunks;
      const above = first?.lines.findIndex((line) => !line.startsWith(' ')) ?? 0;
      assert.ok(!first || first.oldStart <= 1 || above === CONTEXT, JSON.stringify({ before, after, patch }));
    }
  });
});
