import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CodeCache } from '../../src/node/codeCache';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder';

const BUNDLE = `const { value } = require('./part.js');
const { sep } = require('node:path');
module.exports = { value: value + 1, sep, name: __filename };`;

describe('CodeCache', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder.remove());

  it('runs a bundle with its parts, and does so again from the cache', async () => {
    const { file, cache } = await bundleIn(folder.path);
    const expected = { value: 42, sep: path.sep, name: file };
    for (const time of ['first', 'second']) {
      const code = new CodeCache(cache);
      assert.deepEqual(code.run(file), expected, time);
      code.save();
      assert.equal((await readdir(cache)).length, 2, time);
    }
  });

  it('runs a bundle with letters of other languages', async () => {
    const { file, cache } = await bundleIn(folder.path);
    await writeFile(file, "module.exports = { value: 'Zürich 😀' };");
    for (const time of ['first', 'second']) assert.deepEqual(kept(cache, file), { value: 'Zürich 😀' }, time);
  });

  it('runs a bundle already wrapped as a function, with correct stack positions', async () => {
    const { file, cache } = await bundleIn(folder.path);
    const before = '(function (exports, require, module, __filename, __dirname) {';
    await writeFile(file, `${before}\n${BUNDLE}\nexports.place = new Error('here').stack;\n})\n`);
    for (const time of ['first', 'second']) assert.equal(Reflect.get(Object(kept(cache, file)), 'value'), 42, time);
    await writeFile(file, `${before}exports.place = new Error('here').stack;\n})`);
    const place = String(Reflect.get(Object(kept(cache, file)), 'place'));
    assert.ok(place.includes(`bundle.js:1:${before.length + 'exports.place = '.length + 1}`), place);
  });

  it('gives a part loaded before the end of the bundle the exports so far', async () => {
    const { file, cache } = await bundleIn(folder.path);
    await writeFile(file, "module.exports = { early: 'heron' }; module.exports.part = require('./part.js');");
    await writeFile(
      path.join(path.dirname(file), 'part.js'),
      `exports.seen = require('./${path.basename(file)}').early;`,
    );
    assert.deepEqual(new CodeCache(cache).run(file), { early: 'heron', part: { seen: 'heron' } });
  });

  it('saves only the new part after a run that loads one more', async () => {
    const { file, cache } = await bundleIn(folder.path);
    kept(cache, file);
    const inodes = async () =>
      Promise.all((await readdir(cache)).map(async (name) => (await stat(path.join(cache, name))).ino));
    const before = await inodes();
    await writeFile(path.join(path.dirname(file), 'other.js'), 'exports.value = 1;');
    const code = new CodeCache(cache);
    code.run(file);
    code.run(path.join(path.dirname(file), 'other.js'));
    code.save(1);
    const after = await inodes();
    assert.equal(after.length, before.length + 1);
    for (const inode of before) assert.ok(after.includes(inode));
  });

  it('ignores the cache of another version of the file', async () => {
    const { file, cache } = await bundleIn(folder.path);
    kept(cache, file);
    await writeFile(file, BUNDLE.replace('value + 1', 'value + 2'));
    assert.deepEqual(kept(cache, file), { value: 43, sep: path.sep, name: file });
  });

  it('runs the file itself when the cache is damaged or truncated, and replaces the cache', async () => {
    const { file, cache } = await bundleIn(folder.path);
    kept(cache, file);
    for (const damage of [(bytes: Buffer) => bytes.subarray(0, bytes.length / 2), () => Buffer.from('nonsense')]) {
      for (const name of await readdir(cache)) {
        const one = path.join(cache, name);
        await writeFile(one, damage(await readFile(one)));
      }
      assert.deepEqual(kept(cache, file), { value: 42, sep: path.sep, name: file });
    }
  });

  it('updates the cache after a much larger run, but not after V8 has started to discard code', async () => {
    const { file, cache } = await bundleIn(folder.path);
    const keptBy = async (usedMs: number) => {
      const code = new CodeCache(cache);
      code.run(file);
      code.save(usedMs);
      const names = await readdir(cache);
      const inodes = await Promise.all(names.map(async (name) => (await stat(path.join(cache, name))).ino));
      return inodes.sort((a, b) => a - b);
    };
    const first = await keptBy(100);
    assert.deepEqual(await keptBy(120), first);
    assert.deepEqual(await keptBy(60_000), first);
    const more = await keptBy(300);
    assert.notDeepEqual(more, first);
    assert.deepEqual(await keptBy(320), more);
  });

  it('runs where nothing can be cached', async () => {
    const { file } = await bundleIn(folder.path);
    assert.deepEqual(kept(path.join(file, 'below'), file), { value: 42, sep: path.sep, name: file });
    assert.ok((await stat(file)).isFile());
  });
});

function kept(cache: string, file: string): unknown {
  const code = new CodeCache(cache);
  const value = code.run(file);
  code.save();
  return value;
}

async function bundleIn(folder: string): Promise<{ file: string; cache: string }> {
  const file = path.join(folder, 'bundle.js');
  await writeFile(file, BUNDLE);
  await writeFile(path.join(folder, 'part.js'), 'exports.value = 41;');
  return { file, cache: path.join(folder, 'cache') };
}
