import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

const global = defaultRuleset('nothing');
const denying = { user: [commandRule('git push', 'deny')], global };

/** How each program starts another one, with `…` for its line, and ways to run the file `a` with it. */
const LANGUAGES: readonly (readonly [text: string, runs: readonly string[]])[] = [
  ['!…', ['ed < a', 'ed b < a', 'cat a | ed b', 'red - < a']],
  ['.shell …', ['sqlite3 b < a', 'cat a | sqlite3 b', 'sqlite3 -init a b', 'sqlite3 b ".read a"', 'duckdb b < a']],
  [':!…', ['vim -s a', 'vim -u a', 'nvim -S a', 'nvim -l a', 'vi -c "so a"', 'vim +"so a"', 'ex -s b < a']],
  ['shell …', ['gdb -x a', 'gdb -ix a', 'gdb --command=a', 'gdb -batch -ex "source a"', 'gdb b < a']],
  ['platform shell …', ['lldb -s a', 'lldb -o "command source a"', 'lldb < a']],
  ['\\! …', ['psql -f a', 'psql --file=a', 'psql < a', 'psql -U me -h b c < a', 'cat a | mysql -u me b']],
  ['system …', ['mysql < a', 'mysql -u me b < a', 'mysql -e "source a"', 'mariadb b < a']],
  ['copy b to program $$…$$', ['psql -f a', 'psql b < a']],
  ['system("…")', ['gnuplot a', 'gnuplot < a', 'octave a']],
  ['(shell-command "…")', ['emacs --script a', 'emacs -Q --batch -l a', 'emacs -batch --load=a']],
  ['!…', ['sftp -b a b', 'cat a | sftp -b - b', 'lftp -f a', 'ftp -n b < a']],
];

const DATA: readonly string[] = [
  'sqlite3 a.db < schema.sql',
  'zcat a.sql.gz | mysql -u root b',
  "sed 's/a/b/' a.sql | sqlite3 a.db",
  'pg_dump a | psql b',
  'psql "$DATABASE_URL" < a.sql',
  "awk '{ print $1 }' a.csv | sqlite3 a.db",
  "cat > a.sql <<'E'\nselect * from a where b = '/api/users';\nE\nsqlite3 a.db < a.sql",
  "cat > a.sql <<'E'\ncreate table a (b text default '/usr/bin');\nE\npsql -U me -f a.sql",
  "echo '2^10' | bc",
  'gdb -batch -ex bt a.out core',
  'echo a > build/a.txt; ninja -C build',
];

describe('A file with commands for a program', () => {
  const decide = (line: string, rulesets: Parameters<typeof toolPolicy.decide>[1] = { global }) =>
    toolPolicy.decide(command(line), rulesets).action;

  for (const [text, runs] of LANGUAGES)
    for (const run of runs)
      it(`is judged like the line that wrote it: ${text} with ${run}`, () => {
        const written = (line: string) => `echo '${text.replace('…', line)}' > a; ${run}`;
        assert.equal(decide(written('touch ../x')), 'ask');
        assert.notEqual(decide(written('git push'), denying), 'allow');
      });

  it('may run a denied command where a build looks for it', () => {
    for (const [file, run] of [
      ['CMakeLists.txt', 'cmake .'],
      ['build.ninja', 'ninja'],
      ['Vagrantfile', 'vagrant up'],
      ['SConstruct', 'scons'],
      ['pom.xml', 'mvn test'],
    ])
      assert.notEqual(decide(`echo 'git push' > ${file}; ${run}`, denying), 'allow', run);
  });

  it('asks in every mode if the line hides its text', () => {
    for (const run of ['sqlite3 a', 'psql a', 'ed a']) assert.equal(decide(`echo a | base64 -d | ${run}`), 'ask', run);
  });

  it('may also be what a database edits, pages, or logs with', () => {
    for (const line of [`sqlite3 a "select edit('b', 'touch ../x')"`, "mysql -e 'tee ../x'"])
      assert.equal(decide(line), 'ask', line);
    assert.equal(decide("PSQL_PAGER='touch ../x' psql -c 'select 1'"), 'ask');
  });

  it('needs no approval while it is data', () => {
    for (const line of DATA) {
      const { action, reason } = toolPolicy.decide(command(line), { global });
      assert.equal(action, 'allow', `${line}: ${reason}`);
    }
  });
});
