import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gitChanges } from '../../../src/host/context/gitChanges';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { nodePaths } from '../../../src/node/nodePaths';

const UNTRACKED = 7;
const MODIFIED = 5;

describe('Git changes attached to a message', () => {
  let around = '';
  let root = '';
  const machine = { files: nodeFileSystem(), paths: nodePaths() };

  beforeEach(async () => {
    around = await mkdtemp(join(tmpdir(), 'cairn-changes-'));
    root = join(around, 'repository');
    await mkdir(root);
  });

  afterEach(() => rm(around, { recursive: true, force: true }));

  /** The attachment for what the Git extension reports about the folder. `tracked` is the diff of tracked files, `staged` that of what the next commit takes. */
  async function shown(fresh: readonly string[], tracked = '', staged = '') {
    const uri = (name: string) => ({ uri: { fsPath: join(root, name) } });
    const state = {
      workingTreeChanges: [{ ...uri('known.txt'), status: MODIFIED }],
      untrackedChanges: fresh.map((name) => ({ ...uri(name), status: UNTRACKED })),
    };
    const diff = (cached: boolean) => Promise.resolve(cached ? staged : tracked);
    const repository = { rootUri: { fsPath: root }, state, diff, status: () => Promise.resolve() };
    const attachment = await gitChanges(machine, [repository], 'Git changes');
    return attachment.type === 'text' ? attachment.text.split('\n').slice(1, -3) : [];
  }

  async function write(name: string, contents: string | Uint8Array) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), contents);
  }

  it('list new files after the diff of the others', async () => {
    await write('deep/new.txt', 'first\nsecond\n');
    await write('empty.txt', '');
    assert.deepEqual(await shown(['deep/new.txt', 'empty.txt'], 'diff --git a/known.txt b/known.txt\n+x\n'), [
      ...['diff --git a/known.txt b/known.txt', '+x'],
      ...['diff --git a/deep/new.txt b/deep/new.txt', 'new file', '--- /dev/null', '+++ b/deep/new.txt'],
      ...['@@ -0,0 +1,2 @@', '+first', '+second'],
      ...['diff --git a/empty.txt b/empty.txt', 'new file', '--- /dev/null', '+++ b/empty.txt'],
    ]);
  });

  it('include what is staged, before what is not', async () => {
    const [staged, tracked] = ['diff --git a/a.txt b/a.txt\n+a\n', 'diff --git a/b.txt b/b.txt\n+b\n'];
    assert.deepEqual(await shown([], tracked, staged), `${staged}${tracked}`.trimEnd().split('\n'));
  });

  it('only name binary, long, linked, deleted and secret files', async () => {
    await write('picture.png', Uint8Array.of(137, 80, 0, 1));
    await write('long.txt', 'a long line of it\n'.repeat(5_000));
    await write('.env', 'KEY=secret\n');
    await write('../outside.txt', 'not in here\n');
    await symlink('../outside.txt', join(root, 'link.txt'));
    const names = ['.env', 'gone.txt', 'link.txt', 'long.txt', 'picture.png'];
    assert.deepEqual(await shown(names), ['New files that are not shown here:', ...names]);
  });

  it('name the other files when there is no more room, and count the rest', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await write(name, `${'x'.repeat(25_000)}\n`);
    const some = await shown(['a.txt', 'b.txt', 'c.txt']);
    assert.deepEqual(some.slice(-2), ['New files that are not shown here:', 'c.txt']);
    assert.deepEqual(
      some.filter((line) => line.startsWith('diff')),
      ['a', 'b'].map((name) => `diff --git a/${name}.txt b/${name}.txt`),
    );
    const many = await shown(Array.from({ length: 203 }, (_, at) => `missing-${at}`));
    assert.equal(many.length, 202);
    assert.equal(many.at(-1), '(3 more new files; git status names them)');
    const full = await shown(['a.txt'], 'x'.repeat(70_000));
    assert.deepEqual(full.slice(-2), ['New files that are not shown here:', 'a.txt']);
  });
});
