import assert from 'node:assert/strict';
import { type ToolWorld, toolWorld } from '../toolWorld';

const FILE = 'one\ntwo\nthree\nfour\nfive\nsix\n';

describe('fs_patch', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
    await world.write({ 'src/a.txt': FILE });
  });
  afterEach(() => world.remove());
  const patch = (contents: string, path = 'src/a.txt') => ({ path, contents });

  it('applies several hunks at once, and previews them', async () => {
    const call = patch(
      '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n@@ -5,2 +5,3 @@\n five\n+5.5\n six\n',
    );
    const change = await world.preview('fs_patch', call);
    assert.equal(change.after, '1\ntwo\nthree\nfour\nfive\n5.5\nsix\n');
    assert.equal(await world.text('src/a.txt'), FILE);
    const { text, detail } = await world.call('fs_patch', call, { change });
    assert.equal(text, 'Wrote src/a.txt (+2 -1).');
    assert.ok(detail?.kind === 'change');
    assert.equal(await world.text('src/a.txt'), change.after);
  });

  it('creates a file, and refuses to create an existing one', async () => {
    const contents = '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n';
    assert.equal((await world.call('fs_patch', patch(contents, 'new.txt'))).text, 'Created new.txt (+2 -0).');
    assert.equal(await world.text('new.txt'), 'x\ny\n');
    assert.match(await world.failure('fs_patch', patch(contents, 'new.txt')), /creates new\.txt, but it exists/);
  });

  it('reports where a hunk was applied if not at the stated place', async () => {
    const { text } = await world.call('fs_patch', patch('@@ -1,2 +1,2 @@\n five\n-six\n+6\n'));
    assert.equal(text, 'Wrote src/a.txt (+1 -1).\nHunk 1 was placed at line 5, not where it said.');
  });

  it('tolerates differing context and trailing spaces, and reports it', async () => {
    const { text } = await world.call('fs_patch', patch('@@ -1,4 +1,4 @@\n ONE\n two  \n-three\n+3\n four\n'));
    assert.match(text, /Hunk 1 was placed though its context differs/);
    assert.equal(await world.text('src/a.txt'), FILE.replace('three', '3'));
  });

  it('applies a hunk without numbers if its lines are unique, and reports it', async () => {
    const { text } = await world.call('fs_patch', patch('@@\n two\n-three\n+3\n'));
    assert.match(text, /Hunk 1 \(@@\) has no line numbers; it was placed by its lines alone\./);
    await world.write({ 'src/a.txt': 'a\nb\na\nb\n' });
    assert.match(
      await world.failure('fs_patch', patch('@@\n a\n-b\n+c\n')),
      /^Hunk 1 of 1 \(@@\) fits src\/a\.txt in 2 places, at lines 1, 3\..*Nothing was written\.$/,
    );
    assert.match(await world.failure('fs_patch', patch('@@\n+c\n')), /adds lines without saying where/);
  });

  it('reports wrong line counts', async () => {
    const { text } = await world.call('fs_patch', patch('@@ -2,9 +2,9 @@\n two\n-three\n+3\n four\n'));
    assert.match(text, /Hunk 1 \(@@ -2,9 \+2,9 @@\) counts 9 old and 9 new lines but has 3 and 3/);
  });

  it('never silently does nothing', async () => {
    const refusals: [string, RegExp][] = [
      ['', /empty/],
      ['please change one to 1', /no hunk/],
      ['--- a/src/a.txt\n+++ b/src/a.txt\n', /no hunk/],
      ['@@ -1,2 +1,2 @@\n', /has no lines/],
      ['@@ -1,2 +1,2 @@\n one\n two\n', /changes nothing/],
      ['@@ -1 +1 @@\n-one\n+one\n', /nothing to change/],
      ['@@ -1\n-one\n+1\n', /header of hunk 1 cannot be read/],
      ['@@ -1,2 +1,2 @@\n-one\n+1\ntwo\n', /Line 4 of the diff belongs to no hunk: "two"/],
      [
        '--- a/src/b.txt\n+++ b/src/b.txt\n@@ -1 +1 @@\n-one\n+1\n',
        /The diff is for src\/b\.txt, and path is src\/a\.txt/,
      ],
      ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+1\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-one\n+1\n', /several files \(x, y\)/],
      ['--- a/src/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n', /fs_rm/],
      ['rename from a\nrename to b\n', /renaming/],
      ['*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n', /The diff is for a, and path is src\/a\.txt/],
    ];
    for (const [contents, expected] of refusals) {
      assert.match(await world.failure('fs_patch', patch(contents)), expected, contents);
      assert.equal(await world.text('src/a.txt'), FILE);
    }
  });

  it('shows the nearest lines for a hunk that does not fit, and detects an applied one', async () => {
    assert.equal(
      await world.failure('fs_patch', patch('@@ -2,2 +2,2 @@\n-twoo things\n-threee\n+x\n')),
      'Hunk 1 of 1 (@@ -2,2 +2,2 @@) does not fit src/a.txt; nothing was written. Nothing in the file is like it. Read the file again with fs_read.',
    );
    assert.match(
      await world.failure('fs_patch', patch('@@ -2,2 +2,2 @@\n-threee\n+x\n')),
      /The most similar lines:\n3\tthree/,
    );
    assert.match(
      await world.failure('fs_patch', patch('@@ -2,2 +2,1 @@\n-twoo\n-threee\n+x\n')),
      /The most similar lines:\n2\ttwo\n3\tthree/,
    );
    assert.match(await world.failure('fs_patch', patch('@@ -1,2 +1,2 @@\n-zero\n+one\n two\n')), /applied before/);
    assert.match(await world.failure('fs_patch', patch('@@ -1 +1 @@\n-x\n+y\n', 'src/b.txt')), /^No file src\/b\.txt/);
  });

  it('reads a diff inside code fences', async () => {
    await world.call('fs_patch', patch('```diff\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n```\n'));
    assert.equal(await world.text('src/a.txt'), FILE.replace('one', '1'));
  });
});
