import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

const global = defaultRuleset('nothing');

/** Each says where code is loaded from or where files are stored, outside the workspace. */
const AWAY: readonly string[] = [
  ...['PATH=/tmp/x:$PATH', 'PATH=../x:$PATH', 'export PATH=$PATH:/tmp/x;', 'PYTHONPATH=../x', 'PYTHONPATH=src:/tmp/x'],
  ...['PYTHONPATH=$HOME/x:$PYTHONPATH', 'LD_LIBRARY_PATH=/tmp/x', 'DYLD_LIBRARY_PATH=~/x', 'NODE_PATH=../x'],
  ...['CLASSPATH=a:../x', 'PERL5LIB=../x', 'RUBYLIB=../x', 'GIT_EXEC_PATH=../x', 'MAVEN_OPTS=-javaagent:/tmp/x.jar'],
  ...[
    'JDK_JAVA_OPTIONS=@/tmp/x',
    'MAKEFILES=../x',
    'LUA_PATH=../x',
    'OPENSSL_CONF=/tmp/x',
    'npm_config_userconfig=../x',
  ],
  ...[
    'NPM_CONFIG_PREFIX=../x',
    'TMPDIR=../x',
    'TMPDIR=/srv/x',
    'DESTDIR=/srv/x',
    'CARGO_TARGET_DIR=../x',
    'env PYTHONPATH=../x',
  ],
];

const FREE: readonly string[] = [
  ...['PATH=$PWD/node_modules/.bin:$PATH npm test', 'PATH=./node_modules/.bin:$PATH tsc', 'PATH=.:$PATH a'],
  ...['PATH=~/.local/bin:$PATH a', 'export PATH="$HOME/.cargo/bin:$PATH" && cargo build', 'PYTHONPATH=src:. pytest'],
  ...[
    'PYTHONPATH="$PWD:$PYTHONPATH" pytest',
    'LD_LIBRARY_PATH=/usr/local/lib:build ./a',
    'CLASSPATH=.:lib/a.jar java Main',
  ],
  ...[
    'MAVEN_OPTS="-Xmx2g -Dx=/tmp" mvn test',
    'NODE_OPTIONS=--max-old-space-size=4096 npm test',
    'TMPDIR=/tmp/x npm test',
  ],
  ...['GOPATH=/tmp/x go build', 'CARGO_TARGET_DIR=/tmp/x cargo build', 'npm_config_cache=/tmp/x npm ci'],
];

describe('A variable that names folders', () => {
  for (const set of AWAY)
    it(`asks in every mode if one is outside the workspace: ${set}`, () =>
      assert.equal(toolPolicy.decide(command(`${set} npm test`), { global }).action, 'ask'));

  for (const line of FREE)
    it(`needs no approval where it is usual: ${line}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), { global });
      assert.equal(action, 'allow', reason);
    });
});
