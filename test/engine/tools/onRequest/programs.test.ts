import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { onRequestTools } from '../../../../src/engine';
import { ToolFailure } from '../../../../src/engine/tools/toolOutput';
import { nodeToolPrograms } from '../../../../src/node/onRequest/nodeOnRequestTools';
import { scriptPrograms } from '../../../support/scriptPrograms';
import { type ToolWorld, toolWorld } from '../toolWorld';

let world: ToolWorld;
beforeEach(async () => {
  world = await toolWorld();
});
afterEach(() => world.remove());

/** Binds a tool with the folder `programs` first on PATH. */
function bind(name: string, input: unknown) {
  const env = { ...process.env, PATH: `${join(world.outside, 'programs')}${delimiter}${process.env['PATH'] ?? ''}` };
  const programs = nodeToolPrograms({ env, sqliteRunner: scriptPrograms.sqliteRunner });
  const secrets = { get: () => Promise.resolve(undefined) };
  const tool = onRequestTools({ ...world.ports, environment: {}, secrets, programs }).find((one) => one.name === name);
  const bound = tool?.bind(input);
  assert.ok(bound?.ok);
  return bound.call;
}
const call = async (name: string, input: unknown, signal?: AbortSignal) =>
  (await bind(name, input).run(world.context(signal && { signal }))).text;
async function failure(name: string, input: unknown): Promise<string> {
  const error: unknown = await call(name, input).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ToolFailure, String(error));
  return error.message;
}

describe('sqlite_query', () => {
  const query = (sql: string, more: object = {}) => call('sqlite_query', { database: 'shop.db', sql, ...more });
  const refused = (sql: string) => failure('sqlite_query', { database: 'shop.db', sql });
  const sqlite3 = (file: string, sql: string) => execFileSync('sqlite3', [join(world.workspace, file), sql]);

  beforeEach(() => {
    sqlite3(
      'shop.db',
      `CREATE TABLE goods (name TEXT, price INTEGER, note TEXT, data BLOB);
       INSERT INTO goods VALUES ('tea, green', 9007199254740993, NULL, x'0102'), ('cup "x"', 2, '', NULL), ('a' || char(10) || 'b', 3, '; --', NULL);`,
    );
  });

  it('returns rows as CSV that distinguishes NULL from empty text', async () => {
    assert.equal(
      await query('SELECT name, price, note FROM goods -- all of them\n;'),
      'name,price,note\n"tea, green",9007199254740993,\n"cup ""x""",2,""\n"a\nb",3,; --',
    );
    assert.match(await query('/* ; */ WITH x AS (SELECT 1 AS "attach ;") SELECT * FROM x'), /^attach ;\n1$/);
    assert.match(await query('PRAGMA table_info(goods)'), /^cid,name,type,.*\n0,name,TEXT,/);
    assert.match(await query('SELECT * FROM goods WHERE 0'), /\(no rows\)$/);
  });

  it('reports that there are more rows, and then ends the query', async () => {
    assert.equal(
      await query('SELECT price FROM goods WHERE price < 9', { limit: 1 }),
      'price\n2\n... the first 1 rows; there are more.',
    );
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
    assert.match(await query(endless, { limit: 1000 }), /\n1000\n\.\.\. the first 1000 rows/);
  });

  it('can be cancelled while the query returns nothing', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const cancel = new AbortController();
    const running = call('sqlite_query', { database: 'shop.db', sql: endless }, cancel.signal);
    setImmediate(() => cancel.abort());
    await assert.rejects(running, { name: 'AbortError' });
  });

  it('changes nothing, whatever it is given, and reads no other file (P-7.6)', async () => {
    const before = await readFile(join(world.workspace, 'shop.db'));
    sqlite3('other.db', "CREATE TABLE t (x); INSERT INTO t VALUES ('hidden');");
    const other = join(world.workspace, 'other.db');
    for (const sql of [
      'DELETE FROM goods',
      'WITH x AS (SELECT 1) DELETE FROM goods',
      'EXPLAIN SELECT 1; DELETE FROM goods',
      `ATTACH '${other}' AS o`,
      `/* */ attach '${other}' AS o`,
      `VACUUM INTO '${join(world.workspace, 'copy.db')}'`,
      'PRAGMA user_version = 7',
      'PRAGMA writable_schema(1)',
      `SELECT writefile('${join(world.workspace, 'w')}', 'x')`,
      `SELECT load_extension('./x')`,
      '.shell touch owned',
      '--\n.shell touch owned',
      '-cmd',
      '',
      '-- nothing',
    ]) {
      await failure('sqlite_query', { database: 'shop.db', sql: sql || ' ' });
    }
    assert.deepEqual(await readFile(join(world.workspace, 'shop.db')), before);
    for (const file of ['copy.db', 'w', 'owned']) assert.ok(!existsSync(join(world.workspace, file)), file);
  });

  it('reports errors in a statement, a file and a path', async () => {
    assert.match(await refused('SELECT nope FROM goods'), /says: .*no such column: nope/);
    assert.match(await refused('SELECT 1; SELECT 2'), /several statements/);
    assert.match(await refused('INSERT INTO goods VALUES (1)'), /only reads.*execute_command with sqlite3/);
    assert.match(await failure('sqlite_query', { database: 'nope.db', sql: 'SELECT 1' }), /nope\.db/);
    await mkdir(join(world.workspace, 'folder.db'));
    assert.match(await failure('sqlite_query', { database: 'folder.db', sql: 'SELECT 1' }), /is not a file/);
    await world.write({ 'text.db': 'This is no database, however long the text in it may be. '.repeat(20) });
    assert.match(await failure('sqlite_query', { database: 'text.db', sql: 'SELECT * FROM x' }), /not a database/);
  });

  it('is checked as a read of that file', () => {
    const { permission, title } = bind('sqlite_query', { database: '../x.db', sql: 'SELECT\n  1' });
    assert.deepEqual(permission, { tool: 'sqlite_query', category: 'read', paths: ['../x.db'] });
    assert.equal(title, 'Query ../x.db: SELECT 1');
  });
});

describe('ast_grep', () => {
  /**
   * Installs a program that accepts the input of ast-grep and responds like it. Like older versions of ast-grep, it loads what a
   * `sgconfig.yml` names, in its working folder or one above.
   */
  const install = async () => {
    const program = join(world.outside, 'programs', 'ast-grep');
    await mkdir(join(world.outside, 'programs'), { recursive: true });
    await writeFile(
      program,
      `#!${process.execPath}
const fs = require('node:fs'), path = require('node:path');
const say = (text) => fs.writeSync(1, text);
const [run, pattern, ...rest] = process.argv.slice(2);
const root = rest.at(-1);
for (let at = process.cwd(); ; at = path.dirname(at)) {
  if (fs.existsSync(path.join(at, 'sgconfig.yml'))) fs.writeFileSync(path.join(at, 'owned'), '');
  if (at === path.dirname(at)) break;
}
if (run !== 'run' || rest.at(-2) !== '--' || !rest.includes('--json=stream')) process.exit(3);
if (rest.includes('--lang=zz')) { console.error("error: invalid value 'zz' for '--lang <LANG>': zz is not supported!"); process.exit(2); }
const wanted = pattern.slice('--pattern='.length);
let found = false;
for (const name of fs.readdirSync(root, { recursive: true }).sort()) {
  const file = path.join(root, name);
  if (!fs.statSync(file).isFile()) continue;
  fs.readFileSync(file, 'utf8').split('\\n').forEach((text, line) => {
    if (!text.includes(wanted)) return;
    found = true;
    say(JSON.stringify({ text, range: { byteOffset: { start: 0, end: 1 }, start: { line, column: 0 }, end: { line, column: 1 } }, file, lines: text, language: 'TypeScript' }) + '\\n');
  });
}
process.exit(found ? 0 : 1);
`,
    );
    await chmod(program, 0o755);
  };

  it('returns code with its location, except from protected files', async () => {
    await install();
    await world.write({ 'src/a.ts': 'x\nfoo(1)\n', 'src/.env': 'foo(SECRET)', 'b.ts': 'foo(2)' });
    assert.equal(await call('ast_grep', { pattern: 'foo' }), 'b.ts:1: foo(2)\nsrc/a.ts:2: foo(1)');
    assert.match(await call('ast_grep', { pattern: 'nowhere', path: 'src' }), /^Nothing in src is like nowhere\. /);
  });

  it('ignores workspace configuration that would load libraries', async () => {
    await install();
    await world.write({ 'sgconfig.yml': 'customLanguages: { evil: { libraryPath: ./evil.so } }', 'a.ts': 'foo()' });
    assert.equal(await call('ast_grep', { pattern: 'foo' }), 'a.ts:1: foo()');
    assert.ok(!existsSync(join(world.workspace, 'owned')));
  });

  it('stops at the output limit', async () => {
    await install();
    await world.write({ 'a.ts': 'foo()\n'.repeat(50_000) });
    const lines = (await call('ast_grep', { pattern: 'foo' })).split('\n');
    assert.equal(lines.length, 201);
    assert.match(lines.at(-1) ?? '', /the first 200 matches; there are more/);
  });

  it('reports an invalid language, an invalid path and a missing program', async () => {
    assert.match(await failure('ast_grep', { pattern: 'x', path: 'nope' }), /nope/);
    assert.match(await failure('ast_grep', { pattern: 'x' }), /^ast-grep is not on PATH\. Continue without it/);
    await install();
    assert.match(await failure('ast_grep', { pattern: 'x', language: 'zz' }), /says: error: invalid value 'zz'/);
    assert.deepEqual(bind('ast_grep', { pattern: 'x', path: 'src' }).permission.paths, ['src']);
  });
});
