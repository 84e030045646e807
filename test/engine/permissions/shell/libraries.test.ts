import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

const global = defaultRuleset('nothing');
const decide = (line: string) => toolPolicy.decide(command(line), { global });

const LOADED: readonly string[] = [
  ...['duckdb -c "INSTALL httpfs; LOAD httpfs"', `duckdb -c "LOAD './x'"`, `duckdb a "load 'x'"`, 'duckdb -unsigned a'],
  ...[`echo "LOAD 'x'" | duckdb`, `duckdb <<< "force install x from './y'"`, `duckdb -c "select 1; /* */ LOAD 'x'"`],
  ...[
    "sqlite3 a '.load ./x'",
    "sqlite3 a '.l ./x'",
    "sqlite3 a -cmd '.load ./x'",
    `sqlite3 a "select load_extension('x')"`,
  ],
  ...["echo '.load ./x' | sqlite3 a", 'sqlite3 a <<E\n.load ./x\nE', `sqlite3 a "SELECT LOAD_EXTENSION ('x')"`],
  ...['enable -f ./x ls', 'zmodload x', "bash -c 'enable -f ./x ls'"],
];
/** The package is outside the workspace. */
const AWAY: readonly string[] = [
  ...[
    'npm install file:../x',
    'npm i a@file:../x',
    'npm install link:../x',
    'npm install file:///x',
    'npx -p file:../x a',
  ],
  ...['yarn add portal:../x', 'yarn add a@link:../x', 'pnpm add file:/x', 'bun add file:../x', 'npm install ../x.tgz'],
  ...[
    'pip install file:///x',
    'pip install -e file:///x',
    'pip install --editable=../x',
    "pip install 'a @ file:///x'",
  ],
  ...['pip install git+file:///x', 'pip install -r../x', 'python3 -m pip install file:///x', 'uv add file:../x'],
  ...['pip install --find-links=../x a', 'cargo install --path ../x', 'cargo add --path=../x', 'go install ../x'],
  ...['gem install /x.gem', 'opam pin add file:///x', 'nix run path:../x', 'deno run file:///x', 'dpkg -i ../x.deb'],
];
const USUAL: readonly string[] = [
  ...[
    "sqlite3 a '.tables'",
    'sqlite3 a "select load_ext from x"',
    'duckdb -c "select load from a"',
    'enable -n echo; ls',
  ],
  ...['zmodload zsh/stat', 'npm install ./x', 'npm install file:./x', 'pip install .', 'pip install -e ./a', 'npm ci'],
  ...['pip install -r requirements.txt', 'git log --grep file:///a', 'echo file:///etc/passwd', 'grep file:///x a'],
];

describe('A line that loads a library or installs a package', () => {
  it('asks in every mode if a database or a shell loads the library', () => {
    for (const line of LOADED) assert.equal(decide(line).action, 'ask', line);
  });

  it('asks in every mode if the package is outside the workspace', () => {
    for (const line of AWAY) assert.equal(decide(line).action, 'ask', line);
  });

  it('needs no approval otherwise', () => {
    for (const line of USUAL) assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
  });
});

describe('A pattern for names with a leading dot', () => {
  it('asks in every mode where the files are read or passed on', () => {
    const lines = ["find . -name '.e*' -exec cat {} +", "grep -r a . --include='.e*'", "rg --hidden -g '.en?' a"];
    for (const line of lines) assert.equal(decide(line).action, 'ask', line);
  });

  it('needs no approval where they are only found, or left out', () => {
    const lines = [
      "find . -name '.e*'",
      "find . -not -name '.*' -exec wc {} +",
      "rg -g '!.e*' a",
      "rg --hidden -g '!.git' a",
      "grep -r a --include='*.ts'",
    ];
    for (const line of lines) assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
  });
});

describe('Commands that a program reads', () => {
  it('may be the one that a rule denies', () => {
    const rulesets = { user: [commandRule('git push', 'deny')], global };
    const lines = [
      ...[
        "echo '!git push' | mail -f a",
        "mail -f a <<< '!git push'",
        "echo '!git push' > a; mail -f a",
        "mutt -e '!git push'",
      ],
      ...["echo '!git push' > b; s-nail -f a < b", "nslookup <<< '!git push'"],
    ];
    for (const line of lines) assert.notEqual(toolPolicy.decide(command(line), rulesets).action, 'allow', line);
    const written = 'echo git push > a.bat & call a.bat';
    assert.notEqual(toolPolicy.decide(command(written, 'windows'), rulesets).action, 'allow');
    assert.equal(decide('echo hello | mail -s a b').action, 'allow');
  });
});
