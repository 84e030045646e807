import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

/** A shell line that writes to something protected without naming it literally. */
const WRITES = `'echo x > .g""it/config'`;

const ASKED = {
  'a name that gets another meaning': [
    'BASH_CMDS[ls]=/bin/tee; ls ../x',
    'declare -g BASH_ALIASES[ls]=tee; ls ../x',
    'commands[ls]=/bin/tee; ls ../x',
    "functions[ls]='tee $1'; ls ../x",
    'alias ls=tee\nls ../x',
    'hash -p /bin/tee ls; ls ../x',
    'hash ls=/bin/tee; ls ../x',
    'enable -f ./x.so ls; ls ../x',
    'NULLCMD=sh; <<< ls',
    'READNULLCMD=sh; < x',
    "eval 'alias ls=tee'; ls ../x",
  ],
  'what a group or the whole shell is given': [
    `{ sh; } <<< ${WRITES}`,
    `(sh) <<< ${WRITES}`,
    `if sh; then ls; fi <<< ${WRITES}`,
    `f() { sh; }; f <<< ${WRITES}`,
    `f() { bash -s; } <<< ${WRITES}; f`,
    `exec <<< ${WRITES}; sh`,
    `exec 3<<< ${WRITES}; sh <&3`,
    `exec 3<<< ${WRITES}; . /dev/fd/3`,
  ],
  'a path of which a variable is a part': [
    'x=.; cat ${x}env',
    'x=.e; cat ${x}nv',
    'x=.; y=env; cat $x$y',
    'x=a; x=.; cat "$x"env',
    'cat ${x:-.}env',
    'x=..; tee ${x}/a',
  ],
  'a pattern that also matches hidden files': [
    'GLOBIGNORE=x; cat *',
    'export GLOBIGNORE=x; cat *',
    "BASHOPTS=dotglob bash -c 'cat *'",
    "env BASHOPTS=globstar:dotglob bash -c 'cat *'",
  ],
  'a folder that find enters': ['find .. -execdir touch x ;', 'find ../a -okdir mv b c ;'],
  'a path in a setting or a mount': [
    'pytest -o log_file=../x',
    'pytest --override-ini=log_file=../x',
    'mocha -O output=../x',
    'docker build --output type=local,dest=.. .',
    'docker run -v ${PWD}/..:/x a',
    'docker run -v `pwd`/..:/x a',
    'docker run -v$HOME:/x a',
  ],
  'a path in program text': [
    "sed '1W ../x' a",
    "sed -n 'w.git/config' a",
    `sqlite3 a "select writefile('../x', 'y')"`,
    `duckdb -c "export database '../x'"`,
    `mysql -e "select 1 into outfile '/srv/x'"`,
    `node -e 'fs.cpSync("a", "..")'`,
    `python3 -c 'import os; os.chdir(".."); os.remove("x")'`,
    `Rscript -e 'unlink("..", recursive=T)'`,
    `elixir -e 'File.rm_rf("..")'`,
    `julia -e 'rm("..", recursive=true)'`,
  ],
  'a command in program text': [
    "ruby -e '`rm -rf ..`'",
    "ruby -e '%x(rm -rf ..)'",
    `ruby -e 'exec "rm", "-rf", ".."'`,
    `perl -e 'system("rm", "-rf", "..")'`,
    "perl -e 'exec qw(rm -rf ..)'",
    "perl -e 'print qx{rm -rf ..}'",
    "node -p 'require(`child_process`).execSync(`rm -rf ..`)'",
    "php -r 'echo `rm -rf ..`;'",
    `nim --eval 'exec "rm -rf .."'`,
    "sqlite3 a <<< '.shell rm -rf ..'",
    "sops exec-env x 'rm -rf .'",
    "ssh localhost 'rm -rf /srv/x'",
  ],
} as const;

describe('A line whose commands do not say what they touch', () => {
  for (const [kind, lines] of Object.entries(ASKED))
    it(`asks in every mode: ${kind}`, () => {
      for (const line of lines)
        assert.equal(toolPolicy.decide(command(line), { global: defaultRuleset('nothing') }).action, 'ask', line);
    });
});
