import assert from 'node:assert/strict';
import { type LineHunk, lineHunks, mergeLines } from '../../src/engine';
import { shownStarts } from '../../src/host/editor/keyedHunks';
import { LineDifferences, withHunks } from '../../src/host/review/lineDifferences';
import { seededRandom } from '../support/seededRandom';

const random = seededRandom(13);
const pick = (below: number) => Math.floor(random() * below);
/** Few different words, so that many lines are equal. */
const someLines = () => Array.from({ length: 1 + pick(8) }, () => `${pick(4)}`);

function edited(lines: readonly string[]): string[] {
  const all = [...lines];
  for (let places = 1 + pick(2); places > 0; places--) {
    all.splice(pick(all.length), pick(3), ...Array.from({ length: pick(3) }, () => `${pick(6)}`));
  }
  return all.length > 0 ? all : [''];
}

/** Asserts that the hunks turn one text into the other: in order, each a real change, with an equal line between any two. */
function assertDiffer(
  hunks: readonly LineHunk[],
  from: readonly string[],
  to: readonly string[],
  message: string,
): void {
  assert.deepEqual(withHunks(from, to, hunks), to, message);
  hunks.forEach(({ oldStart, oldEnd, newStart, newEnd }, index) => {
    assert.ok(oldEnd > oldStart || newEnd > newStart, `${message}: nothing is changed`);
    const before = hunks[index - 1];
    assert.ok(!before || oldStart - before.oldEnd > 0, `${message}: two are one`);
    assert.equal(oldStart - newStart, (before?.oldEnd ?? 0) - (before?.newEnd ?? 0), `${message}: what lies between`);
  });
}

/** Lines that count how often an element is read. */
function counted(lines: readonly string[], reads: { count: number }): readonly string[] {
  return new Proxy(lines, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1;
      const value: unknown = Reflect.get(target, key, receiver);
      return value;
    },
  });
}

describe('Line differences between file versions', () => {
  it('are correct however they were derived', () => {
    for (let round = 0; round < 2000; round++) {
      const current = someLines();
      const [one, two, three] = [edited(current), edited(current), edited(edited(current))];
      const differences = new LineDifferences(current);
      const message = JSON.stringify({ current, one, two, three });
      for (const [from, to] of [
        [current, one],
        [two, current],
        [one, two],
        [two, one],
        [current, two],
      ] as const) {
        assertDiffer(differences.between(from, to), from, to, message);
      }
      differences.moveTo(three, [one, two]);
      for (const from of [three, one, two]) {
        for (const to of [three, one, two]) assertDiffer(differences.between(from, to), from, to, message);
      }
    }
  });

  it('can be applied in part, leaving the rest as the difference', () => {
    for (let round = 0; round < 2000; round++) {
      const [from, to] = [someLines(), someLines()];
      const differences = new LineDifferences(null);
      const made = differences.between(from, to).filter(() => random() < 0.5);
      const partly = differences.with(from, to, (hunk) => made.includes(hunk));
      const message = JSON.stringify({ from, to, made });
      assert.deepEqual(partly, withHunks(from, to, made), message);
      assertDiffer(differences.between(from, partly), from, partly, message);
      assertDiffer(differences.between(partly, to), partly, to, message);
      assertDiffer(differences.between(to, partly), to, partly, message);
    }
  });

  it('are known for a merge, which equals a merge of the whole texts', () => {
    for (let round = 0; round < 5000; round++) {
      const base = someLines();
      const [ours, theirs] = [edited(base), edited(base)];
      const differences = new LineDifferences(null);
      const { lines, overlaps } = differences.merged(base, ours, theirs);
      const whole = mergeLines(base, ours, theirs);
      const message = JSON.stringify({ base, ours, theirs });
      assert.deepEqual([lines, overlaps], [whole.lines.length > 0 ? whole.lines : [''], whole.overlaps], message);
      assertDiffer(differences.between(ours, lines), ours, lines, message);
      assertDiffer(differences.between(theirs, lines), theirs, lines, message);
    }
  });

  it('are empty between a text and itself, and leave one empty line when all are removed', () => {
    const differences = new LineDifferences(null);
    const base = ['a', 'b'];
    assert.deepEqual(differences.between(base, base), []);
    assert.deepEqual(differences.merged(base, base, ['c']), { lines: ['c'], overlaps: [] });
    const none = differences.merged(['1', '3', '2', '0'], ['3', '2'], ['1', '0']);
    assert.deepEqual(none, { lines: [''], overlaps: [] });
  });

  it('share equal lines', () => {
    const from = ['a', 'b', 'c'];
    const differences = new LineDifferences(null);
    const shared = differences.sharing(from, ['a', 'B', 'c']);
    assert.deepEqual(shared, ['a', 'B', 'c']);
    assert.deepEqual(differences.between(from, shared), lineHunks(from, shared));
  });

  it('are derived from known ones without reading the lines again', () => {
    const reads = { count: 0 };
    const numbers = Array.from({ length: 50 }, (_, index) => `${index}`);
    const version = (...changed: number[]) =>
      counted(
        numbers.map((line, at) => (changed.includes(at) ? 'x' : line)),
        reads,
      );
    const [first, one, two, next] = [version(), version(5), version(5, 20), version(40)];
    const free = (from: readonly string[], to: readonly string[], differences: LineDifferences) => {
      reads.count = 0;
      differences.between(from, to);
      return reads.count === 0;
    };
    const differences = new LineDifferences(first);
    differences.between(first, one);
    differences.between(first, two);
    differences.between(first, next);
    assert.ok(free(one, first, differences), 'the other way round');
    assert.ok(free(next, one, differences), 'by way of the text as it is');
    const later = version(40, 45);
    differences.between(next, later);
    differences.moveTo(next, [one, two]);
    assert.ok(free(next, two, differences));
    const fresh = new LineDifferences(null);
    fresh.moveTo(first, [one, two]);
    assert.ok(free(first, two, fresh), 'by way of the version between');
    assert.ok(free(one, two, fresh));
    const partly = fresh.with(first, two, ({ oldStart }) => oldStart === 5);
    assert.ok(free(first, partly, fresh) && free(partly, two, fresh), 'what was made in part');
    const shared = fresh.sharing(first, [...one]);
    assert.ok(free(first, shared, fresh), 'what shares its lines');
    const { lines } = fresh.merged(first, one, next);
    assert.ok(free(one, lines, fresh) && free(next, lines, fresh), 'what was merged');
    assert.ok(!free(first, later, fresh), 'of which nothing is known');
  });
});

describe('The lenses of a change', () => {
  const lensLines = (left: string, right: string) => {
    const [before, after] = [left.split('\n'), right.split('\n')];
    const starts = shownStarts(before, after, lineHunks(before, after));
    return starts.map((line) => `${line}: ${after[line]}`);
  };

  it('are above the blank line with which the editor’s diff shows a new or removed function', () => {
    const one = 'function one() {\n  return 1;\n}\n';
    const two = 'function two() {\n  return 2;\n}\n';
    const three = 'function three() {\n  return 3;\n}\n';
    assert.deepEqual(lensLines(one, `${one}\n${two}`), ['3: ']);
    assert.deepEqual(lensLines(`${one}\n${three}`, `${one}\n${two}\n${three}`), ['3: ']);
    assert.deepEqual(lensLines(`${one}\n${two}\n${three}`, `${one}\n${three}`), ['3: ']);
  });

  it('stay between the indented lines of a new block', () => {
    const left = 'if (a) {\n  run();\n}\nend();\n';
    assert.deepEqual(lensLines(left, 'if (a) {\n  run();\n}\nif (b) {\n  walk();\n}\nend();\n'), ['3: if (b) {']);
  });

  it('are in the first line of other changes, however close the next one is', () => {
    assert.deepEqual(lensLines('a\nb\nc\n', 'a\nB\nc\n'), ['1: B']);
    assert.deepEqual(lensLines('a\n\nb\n\nc\n', 'A\n\nnew\n\nb\n\nC\n'), ['0: A', '2: new', '6: C']);
  });

  it('never cross the next change', () => {
    const hunks = [
      { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 1 },
      { oldStart: 1, oldEnd: 1, newStart: 2, newEnd: 3 },
    ];
    const indented = '  x';
    assert.deepEqual(shownStarts([indented, 'z'], [indented, indented, indented, 'z'], hunks), [0, 2]);
  });
});
