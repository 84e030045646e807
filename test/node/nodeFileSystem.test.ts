import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { EngineError, type FileSystem } from '../../src/engine';
import { digestOf } from '../../src/engine/tools/files/seenFiles';
import { nodeFileSystem } from '../../src/node/nodeFileSystem';
import { repoRoot } from '../editor/repoRoot';
import { powerless } from '../support/powerless';
import { contentPlugin } from '../tasks/contentPlugin';
import { type TemporaryFolder, temporaryFolder } from './temporaryFolder';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('nodeFileSystem', () => {
  let folder: TemporaryFolder;
  const files: FileSystem = nodeFileSystem();
  const at = (name: string) => path.join(folder.path, name);
  const read = (name: string) => readFile(at(name), 'utf8');

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('replaces a file and leaves nothing next to it', async () => {
    await folder.write({ 'a.txt': 'old' });
    await files.writeFile(at('a.txt'), bytes('new'));
    assert.equal(await read('a.txt'), 'new');
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('finds existing entries, and reports missing ones without an error', async () => {
    await folder.write({ 'a.txt': 'four' });
    assert.equal((await files.find(at('a.txt')))?.size, 4);
    assert.equal(await files.find(at('b.txt')), undefined);
    assert.equal(await files.find(at('a.txt/below')), undefined);
  });

  it('computes the same text digest as Web Crypto, so that sessions are portable', async () => {
    const { digest, ...slower } = nodeFileSystem();
    for (const text of ['', 'a\n', 'Grüße 🐻', 'half of a sign: \ud83d', 'x'.repeat(100_000)])
      assert.equal(digest?.(text), await digestOf(slower, text));
  });

  it('starts a new line after an incomplete one from another program, even after its own lines', async () => {
    await files.appendLine(at('log'), 'one');
    await files.appendLine(at('log'), 'two');
    await appendFile(at('log'), 'cut of');
    await files.appendLine(at('log'), 'three');
    assert.equal(await read('log'), 'one\ntwo\ncut of\nthree\n');
    await writeFile(at('log'), 'another file, as long');
    await files.appendLine(at('log'), 'four');
    assert.equal(await read('log'), 'another file, as long\nfour\n');
    await rm(at('log'));
    await files.appendLine(at('log'), 'five');
    assert.equal(await read('log'), 'five\n');
  });

  it('creates missing parent folders', async () => {
    await files.writeFile(at('x/y/z.txt'), bytes('deep'));
    assert.equal(await read('x/y/z.txt'), 'deep');
  });

  it('keeps the mode of a file', async () => {
    await folder.write({ 'run.sh': '#!/bin/sh' });
    for (const mode of [0o755, 0o600, 0o640, 0o666]) {
      await chmod(at('run.sh'), mode);
      await files.writeFile(at('run.sh'), bytes(`mode ${mode}`));
      assert.equal((await stat(at('run.sh'))).mode & 0o777, mode);
    }
  });

  it('keeps the owner of a file', async function () {
    // Only root may give files to others.
    if (process.getuid?.() !== 0) this.skip();
    await folder.write({ 'a.txt': 'old' });
    await chown(at('a.txt'), 1234, 4321);
    await files.writeFile(at('a.txt'), bytes('new'));
    const { uid, gid } = await stat(at('a.txt'));
    assert.deepEqual([uid, gid], [1234, 4321]);
  });

  it('writes through links to their target and keeps the links', async () => {
    await folder.write({ 'real/target.txt': 'old' });
    await symlink('real/target.txt', at('first'));
    await symlink(at('first'), at('second'));
    await files.writeFile(at('second'), bytes('new'));
    assert.equal(await read('real/target.txt'), 'new');
    assert.ok((await lstat(at('first'))).isSymbolicLink());
    assert.ok((await lstat(at('second'))).isSymbolicLink());
    assert.deepEqual(await readdir(at('real')), ['target.txt']);
  });

  it('writes through a link whose target is missing', async () => {
    await symlink('later/target.txt', at('link'));
    await files.writeFile(at('link'), bytes('there'));
    assert.equal(await read('later/target.txt'), 'there');
    assert.ok((await lstat(at('link'))).isSymbolicLink());
  });

  it('shows readers either the old or the new contents, never a mix', async () => {
    const size = 400_000;
    await folder.write({ 'a.txt': 'a'.repeat(size) });
    const writing = new AbortController();
    const seen = new Set<string>();
    const reader = (async () => {
      while (!writing.signal.aborted) {
        const text = await read('a.txt');
        assert.equal(text.length, size);
        assert.equal(new Set(text).size, 1, 'contents of two writes in one file');
        seen.add(text[0] ?? '');
      }
    })();
    for (const letter of 'bcdefghijklmnop') await files.writeFile(at('a.txt'), bytes(letter.repeat(size)));
    writing.abort();
    await reader;
    assert.ok(seen.size > 1, 'the reader saw more than one state');
  });

  it('survives many writers of one file at once', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index}`.repeat(10_000));
    await Promise.all(texts.map((text) => files.writeFile(at('a.txt'), bytes(text))));
    assert.ok(texts.includes(await read('a.txt')));
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('leaves the file unchanged when writing fails', async () => {
    await mkdir(at('folder'));
    await rejectsWith(files.writeFile(at('folder'), bytes('x')), 'is-directory', at('folder'));
    await folder.write({ file: 'x' });
    await rejectsWith(files.writeFile(at('file/below'), bytes('x')), 'not-directory', at('file/below'));
    assert.deepEqual((await readdir(folder.path)).sort(), ['file', 'folder']);
    assert.equal(await read('file'), 'x');
  });

  it('does not replace what is not a regular file', async function () {
    if (process.platform === 'win32') this.skip();
    await rejectsWith(files.writeFile('/dev/null', bytes('x')), 'io', '/dev/null');
  });

  it('does not replace a read-only file', async function () {
    if (process.platform === 'win32') this.skip();
    await folder.write({ 'a.txt': 'old' });
    await chmod(at('a.txt'), 0o444);
    const program = `
      import { nodeFileSystem } from './src/node/nodeFileSystem';
      nodeFileSystem().writeFile(${JSON.stringify(at('a.txt'))}, new Uint8Array(3)).catch(({ reason }) => console.log(reason));`;
    await build({
      stdin: { contents: program, resolveDir: repoRoot, loader: 'ts' },
      plugins: [await contentPlugin()],
      ...{ outfile: at('program.mjs'), bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    });
    const [command, ...args] = [...powerless, process.execPath, at('program.mjs')];
    assert.ok(command);
    assert.equal((await promisify(execFile)(command, args)).stdout, 'denied\n');
    assert.equal(await read('a.txt'), 'old');
  });

  it('appends in order and creates the file and its folder', async () => {
    for (const line of ['one\n', 'two\n', 'drei ü\n']) await files.appendFile(at('log/history.jsonl'), line);
    assert.equal(await read('log/history.jsonl'), 'one\ntwo\ndrei ü\n');
  });

  it('names the path and the reason of a failure', async () => {
    await folder.write({ 'a.txt': 'x' });
    await rejectsWith(files.readFile(at('nope')), 'not-found', at('nope'));
    await rejectsWith(files.readFile(folder.path), 'is-directory', folder.path);
    await rejectsWith(files.stat(at('a.txt/b')), 'not-directory', at('a.txt/b'));
    await rejectsWith(files.stat(at('a.txt/b/c')), 'not-directory', at('a.txt/b/c'));
    await rejectsWith(files.stat(at('nope/c')), 'not-found', at('nope/c'));
    await rejectsWith(files.readDirectory(at('a.txt')), 'not-directory', at('a.txt'));
    await rejectsWith(files.makeDirectory(at('a.txt')), 'exists', at('a.txt'));
  });

  it('distinguishes kinds of entries', async () => {
    await folder.write({ 'a.txt': 'abc', 'sub/b.txt': '' });
    await symlink('a.txt', at('link'));
    const entries = (await files.readDirectory(folder.path)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(entries, [
      { name: 'a.txt', kind: 'file' },
      { name: 'link', kind: 'symlink' },
      { name: 'sub', kind: 'directory' },
    ]);
    assert.equal((await files.stat(at('link'))).size, 3);
    assert.equal((await files.stat(at('sub'))).kind, 'directory');
  });

  it('removes files and folders, and tolerates missing ones', async () => {
    await folder.write({ 'a.txt': 'x', 'sub/deep/b.txt': 'x' });
    for (const name of ['a.txt', 'sub', 'never']) await files.remove(at(name));
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('resolves the real location of a path, even if nothing exists there yet', async () => {
    await folder.write({ 'inside/a.txt': 'x', 'outside/secret': 'x' });
    await symlink('../outside', at('inside/out'));
    await symlink('../outside/not-yet', at('inside/dangling'));
    assert.equal(await files.realPath(at('inside/out/secret')), at('outside/secret'));
    assert.equal(await files.realPath(at('inside/out/new/file')), at('outside/new/file'));
    assert.equal(await files.realPath(at('inside/dangling')), at('outside/not-yet'));
    assert.equal(await files.realPath(at('inside/dangling/below')), at('outside/not-yet/below'));
    assert.equal(await files.realPath(at('inside/a.txt/below')), at('inside/a.txt/below'));
    await symlink('loop', at('loop'));
    await rejectsWith(files.realPath(at('loop')), 'io', at('loop'));
  });

  it('writes only to the real path that was judged', async () => {
    await folder.write({ 'real/a.txt': 'old', 'other/a.txt': 'other' });
    await symlink('real', at('link'));
    await files.writeFile(at('link/a.txt'), bytes('new'), at('real/a.txt'));
    await files.writeFile(at('link/deep/b.txt'), bytes('new'), at('real/deep/b.txt'));
    assert.deepEqual([await read('real/a.txt'), await read('real/deep/b.txt')], ['new', 'new']);
    await rm(at('link'));
    await symlink('other', at('link'));
    for (const name of ['a.txt', 'new/b.txt']) {
      const written = files.writeFile(at(`link/${name}`), bytes('new'), at(`real/${name}`));
      await rejectsWith(written, 'io', `${at(`link/${name}`)} now leads to ${at(`other/${name}`)}`);
    }
    assert.deepEqual([await read('other/a.txt'), await readdir(at('other'))], ['other', ['a.txt']]);
  });

  for (const [what, size] of [
    ['', 3],
    [' long', 100_000],
  ] as const)
    it(`writes nothing elsewhere when a link takes the place of the folder of a${what} file meanwhile`, async () => {
      await folder.write({ 'sub/a.txt': 'old', 'other/a.txt': 'other' });
      await files.writeFile(at('sub/a.txt'), bytes('old'), at('sub/a.txt'));
      const written = files.writeFile(at('sub/a.txt'), bytes('x'.repeat(size)), at('sub/a.txt'));
      const hasBegun = () => readdirSync(at('sub')).length > 1;
      for (let turns = 0; turns < 10_000 && !hasBegun(); turns++) await Promise.resolve();
      assert.ok(hasBegun());
      renameSync(at('sub'), at('moved'));
      symlinkSync('other', at('sub'));
      await rejectsWith(written, 'io', `${at('sub/a.txt')} now leads to ${at('other/a.txt')}`);
      assert.deepEqual([await read('other/a.txt'), await readdir(at('other'))], ['other', ['a.txt']]);
      assert.equal(await read('moved/a.txt'), 'old');
      if (process.platform === 'linux') assert.deepEqual(await readdir(at('moved')), ['a.txt']);
    });

  it('writes to one of a file’s hard links', async () => {
    await folder.write({ 'a.txt': 'old' });
    await link(at('a.txt'), at('b.txt'));
    await files.writeFile(at('a.txt'), bytes('new'));
    assert.equal(await read('a.txt'), 'new');
  });
});

async function rejectsWith(work: Promise<unknown>, reason: string, file: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(EngineError.is(error), String(error));
    assert.equal(error.reason, reason);
    assert.ok(error.message.includes(file), error.message);
    return true;
  });
}
