import { createTwoFilesPatch } from 'diff';
import assert from 'node:assert/strict';
import { applyPatch } from '../../../../src/engine/tools/files/patch/applyPatch';
import { parsePatch } from '../../../../src/engine/tools/files/patch/parsePatch';
import { ToolFailure } from '../../../../src/engine/tools/toolOutput';

const WORDS = ['', 'a', 'b', 'if (x) {', '}', '  return;', '-- dashes', '++ pluses', '@@ odd', '\\ slash', 'ü → 漢'];

/** A seeded generator of the same numbers in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomLines(random: (below: number) => number, most: number): string[] {
  return Array.from({ length: random(most) }, () => WORDS[random(WORDS.length)] ?? '');
}

function edited(random: (below: number) => number, lines: readonly string[]): string[] {
  const now = [...lines];
  for (let edits = 1 + random(4); edits > 0; edits--) {
    now.splice(random(now.length + 1), random(3), ...randomLines(random, 3));
  }
  return now;
}

function join(lines: readonly string[], ended: boolean, ending = '\n'): string {
  return lines.join(ending) + (ended && lines.length > 0 ? ending : '');
}

const diffOf = (before: string, after: string, context = 3) =>
  createTwoFilesPatch('a/x', 'b/x', before, after, '', '', { context });
const apply = (text: string, diff: string) => applyPatch(text, parsePatch(diff).hunks, 'x');

describe('Applying a patch', () => {
  it('searches for a hunk without numbers after the previous one, and not past the end', () => {
    assert.equal(apply('x\na\nx\nb\n', '@@\n-a\n+A\n@@\n-x\n+X\n').text, 'x\nA\nX\nb\n');
    assert.equal(apply('a\n\nb\n', '@@\n-\n+new\n').text, 'a\nnew\nb\n');
  });

  it('reports that the text is already there, even on the first line', () => {
    const refused = { name: 'ToolFailure', kind: 'failed', message: /already reads/ };
    assert.throws(() => apply('new\nb\n', '@@ -1,1 +1,1 @@\n-old\n+new\n'), refused);
  });

  it('produces exactly the new text for any two texts', () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const random = randomFrom(seed);
      const lines = randomLines(random, 30);
      const before = join(lines, random(3) > 0);
      const after = join(edited(random, lines), random(3) > 0);
      if (before === after) continue;
      const diff = diffOf(before, after, random(4));
      assert.equal(apply(before, diff).text, after, `seed ${seed}\n${JSON.stringify({ before, after })}\n${diff}`);
    }
  });

  it('keeps Windows line endings whatever the diff uses', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomFrom(seed);
      const lines = ['first', ...randomLines(random, 20), 'last'];
      const now = [...lines];
      now.splice(1 + random(now.length - 1), 1, 'new one', 'new two');
      const ended = random(2) > 0;
      const diff = diffOf(join(lines, true), join(now, true));
      const written = random(2) > 0 ? diff : diff.replaceAll('\n', '\r\n');
      assert.equal(apply(join(lines, ended, '\r\n'), written).text, join(now, ended, '\r\n'), `seed ${seed}`);
    }
  });

  it('finds the place after lines were added above, and reports it', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomFrom(seed);
      const lines = Array.from({ length: 10 + random(30) }, (_, at) => `line ${at}`);
      const now = edited(random, lines);
      const [before, after] = [join(lines, true), join(now, true)];
      if (before === after) continue;
      const above = 'above\n'.repeat(1 + random(40));
      const { text, notes } = apply(above + before, diffOf(before, after));
      assert.equal(text, above + after, `seed ${seed}`);
      assert.match(notes.join('\n'), /placed at line \d+/);
    }
  });

  it('never removes a line that the diff does not name, however file and diff were changed', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const random = randomFrom(seed);
      const lines = randomLines(random, 25);
      const diff = diffOf(join(lines, true), join(edited(random, lines), true), random(4));
      const rows = diff.split('\n');
      rows.splice(3 + random(rows.length), random(3), ...(random(2) > 0 ? [WORDS[random(WORDS.length)] ?? ''] : []));
      const text = join(edited(random, lines), random(2) > 0);
      try {
        const result = apply(text, rows.join('\n'));
        const removed = rows.filter((row) => row.startsWith('-') && !row.startsWith('--- a/')).length;
        const added = rows.filter((row) => row.startsWith('+') && !row.startsWith('+++ b/')).length;
        const count = (whole: string) => (whole.match(/[^\n]*\n|[^\n]+$/g) ?? []).length;
        assert.ok(removed + added > 0, `seed ${seed}: nothing was to be done`);
        assert.ok(Math.abs(count(result.text) - count(text) - (added - removed)) <= rows.length);
        const named = new Set(rows.filter((row) => row.startsWith('-')).map((row) => row.slice(1).trimEnd()));
        const left = new Map<string, number>();
        for (const line of result.text.split('\n')) left.set(line.trimEnd(), (left.get(line.trimEnd()) ?? 0) + 1);
        for (const line of text.split('\n')) {
          const have = left.get(line.trimEnd()) ?? 0;
          if (have === 0)
            assert.ok(named.has(line.trimEnd()) || line === '', `seed ${seed}: lost ${JSON.stringify(line)}`);
          left.set(line.trimEnd(), have - 1);
        }
      } catch (error) {
        assert.ok(error instanceof ToolFailure, `seed ${seed}: ${String(error)}`);
      }
    }
  });

  it('rejects garbage with a sentence', () => {
    const pieces = [
      '@@',
      '@@ -1,2 +1,2 @@',
      '@@ -0,0 +1 @@',
      '--- a/x',
      '+++ b/x',
      '+a',
      '-a',
      ' a',
      '',
      '\\ No newline',
      '```',
      'diff --git',
      '*** Begin Patch',
      '@@ -1 @@',
    ];
    for (let seed = 1; seed <= 3000; seed++) {
      const random = randomFrom(seed);
      const diff = Array.from({ length: random(12) }, () => pieces[random(pieces.length)] ?? '').join('\n');
      try {
        assert.ok(parsePatch(diff).hunks.length > 0, diff);
        apply('a\na\nb\n', diff);
      } catch (error) {
        assert.ok(error instanceof ToolFailure && error.message.length > 20, `seed ${seed}: ${String(error)}`);
      }
    }
  });

  const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

  it('uses the place clearly closest to the line number, and fails where two are about equally close', () => {
    const text = lines('x', ...Array.from({ length: 10 }, () => '-'), 'x', '-', '-', 'x');
    const at = (line: number) => `@@ -${line},1 +${line},1 @@\n-x\n+y\n`;
    assert.equal(apply(text, at(2)).text.split('\n').indexOf('y'), 0);
    assert.equal(apply(text, at(11)).text.split('\n').indexOf('y'), 11);
    assert.equal(apply(text, at(12)).text.split('\n').indexOf('y'), 11, 'the one that it names');
    for (const between of [7, 13, 14])
      assert.throws(() => apply(text, at(between)), {
        kind: 'failed',
        message: /fits x in 3 places, at lines 1, 12, 15/,
      });
  });

  it('places a hunk without numbers by its full context, and fails if the context differs', () => {
    const text = lines('a', 'b', 'c', 'd', 'e');
    assert.equal(apply(text, '@@ @@\n b\n-c\n+C\n d\n').text, lines('a', 'b', 'C', 'd', 'e'));
    assert.throws(() => apply(text, '@@ @@\n other\n-c\n+C\n d\n'), ToolFailure);
    assert.throws(() => apply(lines('c', 'c'), '@@ @@\n-c\n+C\n'), /fits x in 2 places/);
    assert.throws(() => apply(text, '@@ @@\n+new\n'), /without saying where/);
  });

  it('ignores differing context only if the hunk matches on more than blank lines', () => {
    const text = lines('a', '', 'b');
    assert.throws(() => apply(text, '@@ -1,3 +1,3 @@\n other\n-\n+new\n something\n'), ToolFailure);
    assert.equal(
      apply(lines('a', 'go', 'b'), '@@ -1,3 +1,3 @@\n other\n-go\n+gone\n b\n').text,
      lines('a', 'gone', 'b'),
    );
    assert.equal(apply(lines('a', 'go'), '@@ -1,2 +1,2 @@\n other\n-go\n+gone\n').text, lines('a', 'gone'));
    const [begin, end] = [lines('go', 'b'), lines('a', 'go')];
    assert.equal(apply(begin, '@@ -1,3 +1,3 @@\n above\n-go\n+gone\n b\n').text, lines('gone', 'b'));
    assert.equal(apply(end, '@@ -1,3 +1,3 @@\n a\n-go\n+gone\n below\n').text, lines('a', 'gone'));
  });

  it('places later hunks relative to where earlier ones were found', () => {
    const before = ['u', '1', '2', '3', '4', 'x', '5', '6', '7', '8', 'x', '9'];
    const diff = '@@ -1,1 +1,1 @@\n-u\n+U\n@@ -11,1 +11,1 @@\n-x\n+X\n';
    const above = ['a', 'b', 'c', 'd', 'e'];
    const after = before.map((line, at) => (at === 0 ? 'U' : at === 10 ? 'X' : line));
    assert.equal(apply(lines(...above, ...before), diff).text, lines(...above, ...after));
    assert.equal(apply(lines(...before), diff).text, lines(...after));
  });

  it('uses a place when every other is three times as far away', () => {
    const text = lines('x', ...Array.from({ length: 7 }, () => '-'), 'x');
    assert.equal(apply(text, '@@ -3,1 +3,1 @@\n-x\n+y\n').text.indexOf('y'), 0);
    assert.throws(() => apply(text, '@@ -4,1 +4,1 @@\n-x\n+y\n'), /fits x in 2 places/);
  });

  it('lists at most ten possible places for a hunk', () => {
    const [ten, eleven] = [10, 11].map((count) => lines(...Array.from({ length: count }, () => 'c')));
    const diff = '@@ @@\n-c\n+C\n';
    assert.throws(() => apply(ten ?? '', diff), /in 10 places, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\. /);
    assert.throws(() => apply(eleven ?? '', diff), /in 11 places, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\./);
  });
});
