import assert from 'node:assert/strict';
import path from 'node:path';
import { EngineError } from '../../../../src/engine';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('fs_glob and fs_grep', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
    await world.write({
      '.gitignore': 'dist/\n',
      'index.ts': 'export {};\n',
      'src/a.ts': 'const alpha = 1;\nconst beta = 2;\n',
      'src/a.md': 'alpha\n',
      'dist/a.js': 'alpha\n',
    });
  });
  afterEach(() => world.remove());
  const text = async (name: string, input: object) => (await world.call(name, input)).text;

  it('find files by name in every folder, by path, and under a folder (P-7.6)', async () => {
    assert.equal(await text('fs_glob', { pattern: '*.ts' }), 'index.ts\nsrc/a.ts');
    assert.equal(await text('fs_glob', { pattern: 'src/**' }), 'src/a.md\nsrc/a.ts');
    assert.equal(await text('fs_glob', { pattern: '*.{md,ts}', path: 'src' }), 'src/a.md\nsrc/a.ts');
    assert.equal(await text('fs_glob', { pattern: path.join(world.workspace, 'src/*.md') }), 'src/a.md');
  });

  it('find lines in a folder, a file, or selected files', async () => {
    assert.equal(await text('fs_grep', { pattern: 'alpha' }), 'src/a.md\n  1: alpha\nsrc/a.ts\n  1: const alpha = 1;');
    assert.equal(
      await text('fs_grep', { pattern: 'const', path: 'src/a.ts' }),
      'src/a.ts\n  1: const alpha = 1;\n  2: const beta = 2;',
    );
    assert.equal(await text('fs_grep', { pattern: '(?i)ALPHA', include: '*.md' }), 'src/a.md\n  1: alpha');
  });

  it('report when nothing is found, and what was not searched', async () => {
    assert.match(
      await text('fs_glob', { pattern: '*.py' }),
      /^No file matches \*\.py in the workspace\. .*\.gitignore/,
    );
    assert.match(
      await text('fs_grep', { pattern: 'gamma', include: '*.ts' }),
      /^No line matches \/gamma\/ in the workspace \(only \*\.ts\)/,
    );
  });

  it('skip protected files when searching their folder, and search one that is named', async () => {
    await world.write({ '.env': 'alpha=secret\n', 'app/.env.local': 'alpha=secret\n' });
    const found = await text('fs_grep', { pattern: 'alpha' });
    assert.doesNotMatch(found, /secret/);
    const right = await text('fs_grep', { pattern: 'alpha=s' });
    const wrong = await text('fs_grep', { pattern: 'alpha=x' });
    assert.match(right, /protected ones \(such as \.env/);
    assert.equal(right.replace('alpha=s', 'alpha=x'), wrong, 'whether they match is not told either');
    assert.equal(await text('fs_grep', { pattern: 'alpha', path: '.env' }), '.env\n  1: alpha=secret');
  });

  it('are limited in length, and report it', async () => {
    await world.write({ 'many.txt': `match ${'x'.repeat(400)}\n`.repeat(300) });
    const lines = (await text('fs_grep', { pattern: 'match' })).split('\n');
    assert.ok(lines.length < 200 && lines.join('\n').length < 41_000);
    assert.match(lines.at(-1) ?? '', /^\.\.\. the first \d+ matches; there are more\./);
    assert.equal(lines[0], 'many.txt', 'a file is named once');
    assert.match(lines[1] ?? '', /x \.\.\.$/);
    await world.write(Object.fromEntries(Array.from({ length: 510 }, (_, at) => [`many/f${at}`, ''])));
    const names = (await text('fs_glob', { pattern: 'many/*' })).split('\n');
    assert.equal(names.length, 501);
    assert.equal(names.at(-1), '... more than 500 files. Narrow the pattern or the path.');
  });

  it('report errors (P-7.6)', async () => {
    await assert.rejects(world.call('fs_grep', { pattern: 'foo(' }), (error) => EngineError.is(error, 'invalid-input'));
    assert.match(await world.failure('fs_grep', { pattern: 'x', path: 'scr' }), /^There is no scr to search\. .*fs_ls/);
    assert.match(await world.failure('fs_glob', { pattern: '*', path: 'index.ts' }), /^index\.ts is a file/);
  });
});
