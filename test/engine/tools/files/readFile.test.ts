import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { BROKEN_PICTURE, PICTURES } from '../../../support/pictures';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('fs_read', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());
  const read = async (input: object) => (await world.call('fs_read', input)).text;

  it('returns numbered lines for the model, and text without numbers for the card', async () => {
    await world.write({ 'src/a.ts': 'one\n  two\n' });
    const output = await world.call('fs_read', { path: 'src/a.ts' });
    assert.equal(output.text, '1\tone\n2\t  two');
    assert.deepEqual(output.detail, { kind: 'file', path: 'src/a.ts', firstLine: 1, lastLine: 2, text: 'one\n  two' });
  });

  it('shows files with CRLF, byte order marks or no final line ending as plain lines', async () => {
    await world.write({ 'a.txt': '\uFEFFone\r\ntwo\r\nthree' });
    assert.equal(await read({ path: 'a.txt' }), '1\tone\n2\ttwo\n3\tthree');
  });

  it('reads a range and explains how to continue', async () => {
    await world.write({ 'a.txt': Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join('\n') });
    assert.equal(
      await read({ path: 'a.txt', offset: 3, limit: 2 }),
      '3\tline 3\n4\tline 4\n\nLines 3-4 of 10. Read on with offset 5.',
    );
    assert.equal(await read({ path: 'a.txt', offset: 10 }), '10\tline 10\n\nLines 10-10 of 10.');
    assert.equal(
      await world.failure('fs_read', { path: 'a.txt', offset: 11 }),
      'a.txt has 10 lines, so there is no line 11.',
    );
  });

  it('stops after 2000 lines, or after 50 kB', async () => {
    await world.write({ 'many.txt': 'x\n'.repeat(2500), 'wide.txt': `${'ü'.repeat(500)}\n`.repeat(100) });
    assert.match(await read({ path: 'many.txt' }), /\n2000\tx\n\nLines 1-2000 of 2500\. Read on with offset 2001\.$/);
    const wide = await read({ path: 'wide.txt' });
    assert.ok(Buffer.byteLength(wide) < 51_000);
    assert.match(wide, /Lines 1-49 of 100\. Read on with offset 50\.$/);
  });

  it('truncates a very long line and still makes progress', async () => {
    await world.write({ 'min.js': `${'x'.repeat(60_000)}\nend` });
    const text = await read({ path: 'min.js' });
    assert.ok(text.length < 3000);
    assert.match(text, /\.\.\. 58000 characters left out\n2\tend$/);
  });

  it('reports that a file is empty', async () => {
    await world.write({ 'a.txt': '' });
    assert.equal(await read({ path: 'a.txt' }), 'a.txt is empty.');
  });

  it('rejects binary files, files that are too large, and folders', async () => {
    await world.write({
      'a.png': Buffer.from([0x89, 0x50, 0, 1]),
      'big.log': Buffer.alloc(10_000_001, 'x'),
      'src/a.ts': '',
    });
    assert.match(await world.failure('fs_read', { path: 'a.png' }), /^a\.png \(4 bytes\) is binary, so/);
    assert.match(
      await world.failure('fs_read', { path: 'big.log' }),
      /^big\.log is 10\.0 MB.*limit is 10 MB.*execute_command/,
    );
    assert.equal(await world.failure('fs_read', { path: 'src' }), 'src is a folder. See what is in it with fs_ls.');
  });

  it('rejects a pipe, which nothing may ever write to', async function () {
    if (process.platform === 'win32') this.skip();
    await world.write({ 'a.txt': '' });
    execFileSync('mkfifo', [path.join(world.workspace, 'pipe')]);
    assert.match(await world.failure('fs_read', { path: 'pipe' }), /^pipe is not a regular file/);
  });

  it('suggests similar names for a missing file (P-7.6)', async () => {
    await world.write({ 'src/app.ts': '', 'src/api.ts': '', 'src/lib/x.ts': '' });
    assert.equal(
      await world.failure('fs_read', { path: 'src/apo.ts' }),
      'No file src/apo.ts. Nearby: src/api.ts, src/app.ts.',
    );
    assert.match(
      await world.failure('fs_read', { path: 'src/gone/deep/a.ts' }),
      /^No file src\/gone\/deep\/a\.ts\. There is no src\/gone either\.$/,
    );
  });

  it('accepts absolute paths, and paths outside the workspace', async () => {
    await world.write({ 'a.txt': 'in' });
    assert.equal(await read({ path: path.join(world.workspace, 'a.txt') }), '1\tin');
    await world.write({ '../out.txt': 'out' });
    const output = await world.call('fs_read', { path: '../out.txt' });
    assert.equal(output.text, '1\tout');
    assert.ok(output.detail?.kind === 'file' && output.detail.path === path.join(world.outside, 'out.txt'));
    assert.deepEqual(world.bind('fs_read', { path: '../out.txt' }).permission, {
      tool: 'fs_read',
      category: 'read',
      paths: ['../out.txt'],
    });
  });

  it('names the lines in its title', () => {
    const title = (input: object) => world.bind('fs_read', input).title;
    assert.equal(title({ path: 'a.ts' }), 'Read a.ts');
    assert.equal(title({ path: 'a.ts', offset: 5 }), 'Read a.ts from line 5');
    assert.equal(title({ path: 'a.ts', offset: 5, limit: 10 }), 'Read a.ts 5–14');
  });

  it('returns images as images, detected by their bytes', async () => {
    for (const [mediaType, bytes] of Object.entries(PICTURES)) {
      const name = `${mediaType.slice('image/'.length)}.dat`;
      await world.write({ [name]: bytes });
      const { text, images } = await world.call('fs_read', { path: name });
      assert.equal(text, `${name} is a picture (${mediaType}, 1 kB).`);
      assert.deepEqual(images, [{ mediaType, data: bytes.toString('base64') }]);
    }
  });

  it('does not return an image that providers refuse, since one would end the conversation', async () => {
    const big = Buffer.concat([PICTURES['image/gif'].subarray(0, -1), Buffer.alloc(5_000_000), Buffer.from(';')]);
    await world.write({ 'cut.png': BROKEN_PICTURE, 'big.gif': big });
    assert.equal(
      await world.failure('fs_read', { path: 'cut.png' }),
      'cut.png is a picture that models cannot take: it is broken or incomplete.',
    );
    assert.match(
      await world.failure('fs_read', { path: 'big.gif' }),
      /cannot take: it has 5\.00 MB, and the limit is 3\.93 MB\. Make a smaller copy\.$/,
    );
  });

  it('returns the cells of a notebook with their output', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', 'words'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['\u001b[31m1\u001b[0m\n'] },
          { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': ['<Figure>'] } },
          { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
        ],
      },
    ];
    await world.write({ 'a.ipynb': JSON.stringify({ cells, nbformat: 4 }), 'b.ipynb': '{"broken": ' });
    const lines = (await read({ path: 'a.ipynb' })).split('\n').map((line) => line.replace(/^\d+\t/, ''));
    assert.deepEqual(lines, [
      '# Cell 1 (markdown)',
      '# Title',
      'words',
      '',
      '# Cell 2 (code, run 3)',
      'print(1)',
      '# Output:',
      '1',
      '# Output (also image/png):',
      '<Figure>',
      '# Output: ValueError: no',
    ]);
    assert.equal(await read({ path: 'b.ipynb' }), '1\t{"broken": ');
  });
});

describe('fs_cat', () => {
  it('returns the full text unchanged, and where to continue when it is too long', async () => {
    const world = await toolWorld();
    try {
      await world.write({
        'a.txt': '\tone\n\ntwo',
        'big.txt': 'x'.repeat(99) + '\n' + 'y\n'.repeat(60_000),
        'none.txt': '',
      });
      assert.equal((await world.call('fs_cat', { path: 'a.txt' })).text, '\tone\n\ntwo');
      assert.equal((await world.call('fs_cat', { path: 'none.txt' })).text, 'none.txt is empty.');
      assert.match(
        (await world.call('fs_cat', { path: 'big.txt' })).text,
        /y\n\n\.\.\. 20100 characters left out\. Read on with fs_read and offset 49952\.$/,
      );
      assert.match(await world.failure('fs_cat', { path: 'b.txt' }), /^No file b\.txt/);
    } finally {
      await world.remove();
    }
  });
});
