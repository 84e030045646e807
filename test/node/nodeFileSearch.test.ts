import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAbort } from '../../src/base/abort';
import { EngineError, type FileSearch } from '../../src/engine';
import { nodeFileSearch } from '../../src/node/nodeFileSearch';
import { ripgrepHere } from './ripgrepHere';
import { temporaryFolder, type TemporaryFolder } from './temporaryFolder';

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

const TREE: Record<string, string | Uint8Array> = {
  '.gitignore': '*.log\n!keep.log\nbuild/\n/rooted.txt\ndocs/**/draft.md\n# comment\n\nspaced\\ name\n',
  '.env': 'alpha=1\n',
  '.hidden/file.ts': 'alpha\n',
  '.git/config': 'alpha\n',
  '.ignore': 'readme.md\n',
  'node_modules/pkg/index.js': 'alpha\n',
  'sub/node_modules/pkg/index.js': 'alpha\n',
  'a.log': 'alpha\n',
  'keep.log': 'alpha\n',
  'rooted.txt': 'alpha\n',
  'sub/rooted.txt': 'alpha beta\n',
  'build/out.js': 'alpha\n',
  'sub/build/out.js': 'alpha\n',
  'docs/x/draft.md': 'alpha\n',
  'docs/final.md': 'Alpha\nalphabet\n',
  'spaced name': 'alpha\n',
  'readme.md': 'see alpha\n',
  'sub/.gitignore': '!a.log\n*.tmp\ninner/\n',
  'sub/a.log': 'alpha\n',
  'sub/b.tmp': 'alpha\n',
  'sub/inner/c.ts': 'alpha\n',
  'other/inner/c.ts': 'alpha\n',
  'other/.gitignore': '*\n!*.ts\n!inner/\n',
  'other/d.js': 'alpha\n',
  'a/z.ts': 'alpha\n',
  'a-b/z.ts': 'alpha\n',
  'a.b/z.ts': 'alpha\n',
  'B/z.ts': 'alpha\n',
  'ü/ß.ts': 'größe\nalpha\n',
  'crlf.txt': 'one\r\nalpha\r\nend alpha\r\n',
  'bom.txt': '\uFEFFalpha first\n',
  'utf16.txt': utf16('alpha wide\n'),
  'latin1.txt': Buffer.from('gr\xf6\xdfe alpha\n\xe2\x82\n', 'latin1'),
  'binary.dat': Buffer.from('alpha\n\0\x01'),
  'late.dat': Buffer.concat([Buffer.from('alpha\n'.repeat(40_000)), Buffer.from([0])]),
  'long.txt': `${'x'.repeat(5000)}alpha\n`,
  'no-newline.txt': 'alpha at the end',
  'large.txt': `${'x\n'.repeat(40_000)}alpha far below\n`,
  'empty.txt': '',
  'code.ts': 'interface{\nfoo(bar) [x] {1}\n  return a_b.c;\nünder alpha_1\n\ttab\nprice: 12.50 €\nnaïve\n😀\n',
};

const GLOBS = [
  '**/*',
  '**/*.ts',
  '*.ts',
  '**/*.{ts,log}',
  'sub/**',
  '**/[a-c].*',
  '**/!(*.ts)',
  '.*',
  '**/z.ts',
  'ü/*',
  'nothing*',
];

const PATTERNS = [
  'alpha',
  '(?i)ALPHA',
  '^alpha$',
  'alpha$',
  '^alpha',
  '\\balpha\\b',
  '\\w+_\\w',
  '\\W€',
  'na\\wve',
  'na\\Wve',
  '\\bnder',
  'interface{',
  'foo\\(bar\\)',
  '\\[x\\] \\{1\\}',
  '[[x]',
  '[\\]x]',
  '[^a-z\\s]\\d',
  '\\d+\\.\\d{2}',
  'a{2,}|^$',
  '^\\s*return\\b',
  '(?:one|end)',
  '(?<=end )alpha',
  '(a)lph\\1',
  'al(?!pha)',
  '\\talpha|\\ttab',
  'gr.+e',
  '^.{5}$',
  '\\u0061lpha',
  'x\\/y|a\\-b|b\\.c',
  '€',
  '\\<alpha',
  '^gr[^a]{2}e ',
  '^gr\\W\\We ',
  '^..$',
  '^[^x]{2}$',
  '\\S\\s\\S',
];

describe('nodeFileSearch', function () {
  this.timeout(60_000);
  const never = new AbortController().signal;
  const walking = nodeFileSearch({ ripgrepCandidates: [], env: {} });
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
    await folder.write(TREE);
    await symlink('code.ts', path.join(folder.path, 'link.ts'));
    await symlink('sub', path.join(folder.path, 'linked'));
  });
  after(() => folder.remove());

  const at = (name: string) => path.join(folder.path, ...name.split('/'));
  const relative = (file: string) => path.relative(folder.path, file).replaceAll(path.sep, '/');

  async function glob(search: FileSearch, include: string, root = folder.path, limit = 1000) {
    const { paths, complete } = await search.glob({ root, include, limit }, never);
    return { names: paths.map(relative), complete };
  }
  async function grep(
    search: FileSearch,
    pattern: string,
    more: { root?: string; include?: string; limit?: number } = {},
  ) {
    const { matches, complete } = await search.grep({ root: folder.path, limit: 1000, pattern, ...more }, never);
    return { rows: matches.map(({ path: file, line, text }) => `${relative(file)}:${line}:${text}`), complete };
  }

  describe('by walking', () => {
    it('lists files not in .gitignore, including hidden ones, ordered by folder', async () => {
      const { names, complete } = await glob(walking, '**/*');
      assert.equal(complete, true);
      assert.deepEqual(names, [
        '.env',
        '.gitignore',
        '.hidden/file.ts',
        '.ignore',
        'B/z.ts',
        'a/z.ts',
        'a-b/z.ts',
        'a.b/z.ts',
        'binary.dat',
        'bom.txt',
        'code.ts',
        'crlf.txt',
        'docs/final.md',
        'empty.txt',
        'keep.log',
        'large.txt',
        'late.dat',
        'latin1.txt',
        'long.txt',
        'no-newline.txt',
        'other/inner/c.ts',
        'readme.md',
        'sub/.gitignore',
        'sub/a.log',
        'sub/rooted.txt',
        'utf16.txt',
        'ü/ß.ts',
      ]);
    });

    it('matches globs from the root of the search', async () => {
      assert.deepEqual((await glob(walking, '*.ts')).names, ['code.ts']);
      assert.deepEqual((await glob(walking, '**/*.ts', at('a'))).names, ['a/z.ts']);
      assert.deepEqual((await glob(walking, '*/z.ts')).names, ['B/z.ts', 'a/z.ts', 'a-b/z.ts', 'a.b/z.ts']);
    });

    it('respects the .gitignore of parent folders, and searches an ignored folder if named', async () => {
      assert.deepEqual((await glob(walking, '**/*', at('sub'))).names, [
        'sub/.gitignore',
        'sub/a.log',
        'sub/rooted.txt',
      ]);
      assert.deepEqual((await glob(walking, '**/*', at('build'))).names, ['build/out.js']);
      assert.deepEqual((await glob(walking, '**/*', at('node_modules/pkg'))).names, ['node_modules/pkg/index.js']);
    });

    it('finds lines with their numbers, without line endings and byte order marks', async () => {
      assert.deepEqual((await grep(walking, 'alpha$', { include: '{crlf,bom,no-newline,utf16}.txt' })).rows, [
        'crlf.txt:2:alpha',
        'crlf.txt:3:end alpha',
      ]);
      assert.deepEqual((await grep(walking, '^alpha', { include: '{crlf,bom,no-newline,utf16}.txt' })).rows, [
        'bom.txt:1:alpha first',
        'crlf.txt:2:alpha',
        'no-newline.txt:1:alpha at the end',
        'utf16.txt:1:alpha wide',
      ]);
    });

    it('skips binary files', async () => {
      assert.deepEqual((await grep(walking, 'alpha', { include: '*.dat' })).rows, []);
    });

    it('searches one file if it is the root, even an ignored one', async () => {
      assert.deepEqual((await grep(walking, 'alpha', { root: at('a.log') })).rows, ['a.log:1:alpha']);
    });

    it('stops at the limit and reports it, but only if there is more', async () => {
      const all = (await grep(walking, 'alpha')).rows;
      assert.deepEqual(await grep(walking, 'alpha', { limit: 3 }), { rows: all.slice(0, 3), complete: false });
      assert.deepEqual(await grep(walking, 'alpha', { limit: all.length }), { rows: all, complete: true });
      await folder.write({ 'many.txt': 'gamma\n'.repeat(4) });
      const rows = ['many.txt:1:gamma', 'many.txt:2:gamma', 'many.txt:3:gamma'];
      assert.deepEqual(await grep(walking, 'gamma', { limit: 3 }), { rows, complete: false });
      assert.equal((await grep(walking, 'gamma', { limit: 4 })).complete, true);
      assert.deepEqual(await glob(walking, '*/z.ts', folder.path, 2), { names: ['B/z.ts', 'a/z.ts'], complete: false });
      assert.equal((await glob(walking, '*/z.ts', folder.path, 4)).complete, true);
    });

    it('rejects an invalid regular expression, and explains how to search for characters', async () => {
      await assert.rejects(grep(walking, 'foo('), (error) => {
        assert.ok(EngineError.is(error, 'invalid-input'));
        assert.match(error.message, /^Invalid regular expression: .*foo\(.*backslash/s);
        return true;
      });
    });

    it('stops a runaway pattern', async () => {
      const wild = path.join(at('sub'), 'wild.txt');
      await writeFile(wild, `${'a'.repeat(60)}!\n`);
      await assert.rejects(grep(walking, '^(a+)+$', { root: wild }), (error) => EngineError.is(error, 'invalid-input'));
      await folder.write({ 'sub/wild.txt': '' });
    });

    it('reports that a root is missing or not a folder', async () => {
      await assert.rejects(glob(walking, '*', at('nowhere')), (error) => EngineError.is(error, 'not-found'));
      await assert.rejects(grep(walking, 'x', { root: at('nowhere') }), (error) => EngineError.is(error, 'not-found'));
      await assert.rejects(glob(walking, '*', at('code.ts')), (error) => EngineError.is(error, 'not-directory'));
    });

    it('falls back when the given ripgrep does not work', async () => {
      const broken = path.join(folder.path, '.git', process.platform === 'win32' ? 'rg.exe' : 'rg');
      await writeFile(broken, 'no program at all', { mode: 0o755 });
      const search = nodeFileSearch({ ripgrepCandidates: [broken, at('code.ts')], env: {} });
      assert.deepEqual(await glob(search, '**/*.ts'), await glob(walking, '**/*.ts'));
      assert.deepEqual(await grep(search, 'alpha'), await grep(walking, 'alpha'));
    });

    it('stops when aborted', async () => {
      const abort = new AbortController();
      abort.abort();
      await assert.rejects(walking.glob({ root: folder.path, include: '**', limit: 9 }, abort.signal), isAbort);
      const later = new AbortController();
      const working = walking.grep({ root: folder.path, pattern: 'never there', limit: 9 }, later.signal);
      later.abort();
      await assert.rejects(working, isAbort);
    });
  });

  describe('with ripgrep', () => {
    const search: FileSearch = nodeFileSearch({ ripgrepCandidates: [ripgrepHere()], env: {} });

    for (const include of GLOBS) {
      it(`lists the same files for ${include}`, async () => {
        assert.deepEqual(await glob(search, include), await glob(walking, include));
      });
    }

    for (const pattern of PATTERNS) {
      it(`finds the same lines for ${pattern}`, async () => {
        assert.deepEqual(await grep(search, pattern), await grep(walking, pattern));
      });
    }

    it('finds the same in subfolders, in ignored ones, and up to the same limit', async () => {
      for (const name of ['sub', 'other', 'build', 'a', 'docs', 'node_modules/pkg', 'sub/inner']) {
        assert.deepEqual(await glob(search, '**/*', at(name)), await glob(walking, '**/*', at(name)), name);
        assert.deepEqual(
          await grep(search, 'alpha', { root: at(name) }),
          await grep(walking, 'alpha', { root: at(name) }),
        );
      }
      for (const limit of [1, 2, 5, 10]) {
        assert.deepEqual(await grep(search, 'alpha', { limit }), await grep(walking, 'alpha', { limit }));
        assert.deepEqual(await glob(search, '**', folder.path, limit), await glob(walking, '**', folder.path, limit));
      }
    });

    it('ignores the user’s own configuration', async () => {
      await mkdir(at('.git/info'), { recursive: true });
      await writeFile(at('.git/info/exclude'), 'code.ts\n');
      assert.ok((await glob(search, '*.ts')).names.includes('code.ts'));
    });

    it('stops when aborted', async () => {
      const abort = new AbortController();
      const working = search.grep({ root: folder.path, pattern: 'alpha', limit: 9 }, abort.signal);
      abort.abort();
      await assert.rejects(working, isAbort);
    });
  });
});
