import assert from 'node:assert/strict';
import path from 'node:path';
import { AbortError } from '../../../../src/base/abort';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('fs_write and fs_edit', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const edit = (old: string, now: string, more: object = {}) => ({
    path: 'a.ts',
    old_string: old,
    new_string: now,
    ...more,
  });

  it('write a new file and create its folders', async () => {
    const { text, detail } = await world.call('fs_write', { path: 'src/new.ts', contents: 'one\ntwo\n' });
    assert.equal(text, 'Created src/new.ts (+2 -0).');
    assert.equal(await world.text('src/new.ts'), 'one\ntwo\n');
    assert.ok(detail?.kind === 'change' && detail.diff.created && detail.diff.path === 'src/new.ts');
  });

  it('replace a file, or an exact part of one', async () => {
    await world.write({ 'a.ts': 'one\ntwo\nthree\n' });
    await world.call('fs_read', { path: 'a.ts' });
    assert.equal((await world.call('fs_edit', edit('two', 'zwei\nzweieinhalb'))).text, 'Wrote a.ts (+2 -1).');
    assert.equal(await world.text('a.ts'), 'one\nzwei\nzweieinhalb\nthree\n');
    assert.equal((await world.call('fs_write', { path: 'a.ts', contents: 'x' })).text, 'Wrote a.ts (+1 -4).');
    assert.equal(await world.text('a.ts'), 'x');
  });

  it('write nothing once they are cancelled', async () => {
    await world.write({ 'a.ts': 'one\n' });
    const call = world.bind('fs_edit', edit('one', 'two'));
    await assert.rejects(async () => call.run(world.context({ signal: AbortSignal.abort() })), AbortError);
    assert.equal(await world.text('a.ts'), 'one\n');
  });

  it('replace a file of which parts were read repeatedly', async () => {
    await world.write({ 'a.ts': 'one\ntwo\nthree\nfour\n' });
    for (const [offset, limit] of [
      [1, 3],
      [2, 1],
      [4, 1],
    ])
      await world.call('fs_read', { path: 'a.ts', offset, limit });
    assert.match((await world.call('fs_write', { path: 'a.ts', contents: 'x' })).text, /^Wrote/);
  });

  it('replace every match when requested', async () => {
    await world.write({ 'a.ts': 'a b a\na\n' });
    await world.call('fs_edit', edit('a', '$&', { replace_all: true }));
    assert.equal(await world.text('a.ts'), '$& b $&\n$&\n');
  });

  for (const end of ['\n', '\r\n', '']) {
    for (const mark of ['', '\uFEFF']) {
      it(`keep ${JSON.stringify(mark)} at the start, CRLF, and ${JSON.stringify(end)} at the end`, async () => {
        await world.write({ 'a.ts': `${mark}one\r\ntwo\r\nthree${end}` });
        await world.call('fs_read', { path: 'a.ts' });
        await world.call('fs_edit', edit('one\ntwo\n', '1\n2\n2.5\n'));
        assert.equal(await world.text('a.ts'), `${mark}1\r\n2\r\n2.5\r\nthree${end}`);
        await world.call('fs_write', { path: 'a.ts', contents: 'x\ny' });
        assert.equal(await world.text('a.ts'), `${mark}x\r\ny`);
      });
    }
  }

  it('leave the last line ending as the model wrote it (P-7.6)', async () => {
    await world.write({ 'a.ts': 'a\n' });
    await world.call('fs_read', { path: 'a.ts' });
    await world.call('fs_write', { path: 'a.ts', contents: 'b' });
    assert.equal(await world.text('a.ts'), 'b');
    await world.call('fs_write', { path: 'a.ts', contents: 'b\n\n' });
    assert.equal(await world.text('a.ts'), 'b\n\n');
  });

  it('preview without writing', async () => {
    await world.write({ 'a.ts': 'one\r\n' });
    assert.deepEqual(await world.preview('fs_edit', edit('one', 'two\nthree')), {
      path: path.join(world.workspace, 'a.ts'),
      relativePath: 'a.ts',
      before: 'one\r\n',
      after: 'two\r\nthree\r\n',
    });
    assert.deepEqual(await world.preview('fs_write', { path: 'new/b.ts', contents: 'x' }), {
      path: path.join(world.workspace, 'new/b.ts'),
      relativePath: 'new/b.ts',
      before: null,
      after: 'x',
    });
    assert.equal(await world.text('a.ts'), 'one\r\n');
    await assert.rejects(world.text('new/b.ts'));
  });

  it('write what was approved', async () => {
    await world.write({ 'a.ts': 'one\n' });
    const change = await world.preview('fs_edit', edit('one', 'two'));
    assert.equal((await world.call('fs_edit', edit('one', 'two'), { change })).text, 'Wrote a.ts (+1 -1).');
    assert.equal(await world.text('a.ts'), 'two\n');
  });

  it('tell the model what the user made of its proposal', async () => {
    await world.write({ 'a.ts': 'one\ntwo\nthree\n' });
    const change = await world.preview('fs_edit', edit('two', 'zwei'));
    const { text } = await world.call('fs_edit', edit('two', 'zwei'), {
      change: { ...change, after: 'one\nZWEI!\nthree\n' },
    });
    assert.equal(
      text,
      'Wrote a.ts (+1 -1).\nThe user changed your proposal before it was written. Where it differs, the file now reads:\n' +
        '1\tone\n2\tZWEI!\n3\tthree',
    );
    assert.equal(await world.text('a.ts'), 'one\nZWEI!\nthree\n');
  });

  it('report that nothing was written when the user reverted all of it', async () => {
    await world.write({ 'a.ts': 'one\n' });
    const change = await world.preview('fs_edit', edit('one', 'two'));
    const { text } = await world.call('fs_edit', edit('one', 'two'), { change: { ...change, after: 'one\n' } });
    assert.match(text, /^a\.ts is unchanged; nothing was written\.\nThe user changed your proposal/);
  });

  it('fail if the file was changed, removed or created in the meantime', async () => {
    await world.write({ 'a.ts': 'one\n' });
    const change = await world.preview('fs_edit', edit('one', 'two'));
    await world.write({ 'a.ts': 'one\nmore\n' });
    assert.match(
      await world.failure('fs_edit', edit('one', 'two'), { change }),
      /^a\.ts was changed in the meantime;.*Read it again/,
    );
    assert.equal(await world.text('a.ts'), 'one\nmore\n');
    await world.ports.files.remove(change.path);
    assert.match(await world.failure('fs_edit', edit('one', 'two'), { change }), /^a\.ts was removed in the meantime/);
    const fresh = { ...change, before: null };
    await world.write({ 'a.ts': 'x' });
    assert.match(
      await world.failure('fs_write', { path: 'a.ts', contents: 'two' }, { change: fresh }),
      /^a\.ts was created in the meantime/,
    );
    assert.equal(await world.text('a.ts'), 'x');
  });

  it('show similar lines when the text is not found', async () => {
    await world.write({ 'a.ts': 'function parse(text) {\n    return text.trim();\n}\n\nfunction other() {}\n' });
    assert.equal(
      await world.failure('fs_edit', edit('function parse(txt) {\n', 'x')),
      'old_string is not in a.ts; it must match exactly. The most similar lines:\n1\tfunction parse(text) {\nAlso similar: line 5.',
    );
    assert.equal(
      await world.failure('fs_edit', edit('function parse(text) {\n  return text.trim();\n}', 'x')),
      'old_string is not in a.ts; it must match exactly. These lines differ from it in white space only:\n' +
        '1\tfunction parse(text) {\n2\t    return text.trim();\n3\t}',
    );
    assert.match(
      await world.failure('fs_edit', edit('zzzzqqqq', 'x')),
      /Nothing in the file is like it\. Read the file again/,
    );
    const numbered = await world.failure('fs_edit', edit('2\t    return text.trimm();', 'x'));
    assert.match(numbered, /leave out the number and the tab.*\n2\t {4}return text\.trim\(\);$/s);
  });

  it('list the lines when the text occurs more than once', async () => {
    await world.write({ 'a.ts': 'x\ny\nx\n' });
    assert.equal(
      await world.failure('fs_edit', edit('x', 'z')),
      'old_string occurs 2 times in a.ts, at lines 1, 3. Add lines around it until it is unique, or set replace_all.',
    );
  });

  it('reject changes without effect, an empty text, missing files, folders and binaries', async () => {
    await world.write({ 'a.ts': 'x', 'b.bin': Buffer.from([0, 1]), 'dir/c': '' });
    assert.match(await world.failure('fs_edit', edit('x', 'x')), /the same/);
    assert.match(await world.failure('fs_edit', edit('', 'x')), /old_string is empty/);
    await world.write({ 'empty.ts': '' });
    assert.equal(
      await world.failure('fs_edit', { ...edit('x', 'y'), path: 'empty.ts' }),
      'empty.ts is empty, so old_string is not in it. Use fs_write.',
    );
    assert.match(
      await world.failure('fs_edit', { ...edit('x', 'y'), path: 'b.ts' }),
      /^No file b\.ts\. Nearby: .*To create it use fs_write\.$/,
    );
    for (const tool of ['fs_edit', 'fs_write']) {
      const input = (name: string) =>
        tool === 'fs_edit' ? { ...edit('x', 'y'), path: name } : { path: name, contents: '' };
      assert.match(await world.failure(tool, input('dir')), /^dir is a folder/);
      assert.match(await world.failure(tool, input('b.bin')), /binary/);
    }
  });

  it('find similar lines in a big file', async () => {
    await world.write({
      'a.ts': Array.from({ length: 50_000 }, (_, at) => `const value${at} = compute(${at}, 'some text');`).join('\n'),
    });
    assert.match(
      await world.failure('fs_edit', edit("const value49999 = compute(49998, 'some text')", 'x')),
      /49999\t|50000\t/,
    );
  });
});
