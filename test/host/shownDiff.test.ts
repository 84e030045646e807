import assert from 'node:assert/strict';
import { shownDiff } from '../../src/host/editor/shownDiff';

const file = (name: string, lines: number) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${Array.from({ length: lines }, (_, at) => `+${name} line ${at}\n`).join('')}`;

describe('The diff for a commit message', () => {
  it('is complete if there is room', () => {
    const diff = file('a.ts', 3) + file('src/b c.ts', 2);
    assert.equal(shownDiff(diff, 60_000), diff);
  });

  it('contains every file, the small ones in full, and cuts large ones at a line end', () => {
    const diff = file('huge.ts', 5000) + file('small.ts', 5) + file('large.ts', 3000);
    const shown = shownDiff(diff, 10_000);
    assert.ok(shown.length < 10_500, `${shown.length} characters`);
    assert.ok(shown.includes(file('small.ts', 5)));
    for (const name of ['huge.ts', 'large.ts']) {
      assert.match(shown, new RegExp(`\\+${name} line 50\n`));
      assert.match(shown, new RegExp(`\\+${name} line \\d+\n\\(the rest of this file is left out\\)\n`));
    }
  });

  it('names lock files and other generated files without their content', () => {
    const diff = file('package-lock.json', 4000) + file('web/app.min.js', 10) + file('src/lock.ts', 2);
    const shown = shownDiff(diff, 10_000);
    assert.doesNotMatch(shown, /package-lock\.json line|app\.min\.js line/);
    assert.match(shown, /b\/package-lock\.json\n\(generated; its changes are left out\)\n/);
    assert.match(shown, /\+src\/lock\.ts line 1/);
  });
});
