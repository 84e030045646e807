import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { withWorld } from '../../../support/engineWorld';
import { command } from '../queries';

const rulesets = { global: defaultRuleset('nothing') };
const decide = (line: string, shell: 'posix' | 'windows' = 'posix') =>
  toolPolicy.decide(command(line, shell), rulesets);

/** Each makes a program that the line names run a file of the workspace that it does not name as a command. */
const STEERING: Readonly<Record<string, readonly string[]>> = {
  'a program that Git starts': [
    ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR'],
    ...['GIT_ASKPASS', 'SSH_ASKPASS', 'GIT_PROXY_COMMAND'],
  ].map((name) => `${name}=./x git fetch`),
  'a program that others start': [
    ...['PAGER', 'MANPAGER', 'EDITOR', 'VISUAL', 'BROWSER', 'LESSOPEN', 'LESSCLOSE', 'SHELL', 'CONFIG_SHELL'],
    ...['SUDO_ASKPASS', 'RSYNC_RSH', 'CVS_RSH', 'SVN_SSH', 'HGEDITOR', 'PSQL_PAGER', 'SYSTEMD_PAGER'],
    ...['FZF_DEFAULT_COMMAND', 'PROMPT_COMMAND', 'npm_config_script_shell', 'KUBECTL_EXTERNAL_DIFF'],
  ].map((name) => `${name}=tools/x a`),
  'a file of code or settings': [
    ...['BASH_ENV', 'ZDOTDIR', 'PYTHONSTARTUP', 'PERL5DB', 'MAKEFILES', 'VIMINIT', 'LUA_INIT', 'PSQLRC', 'INPUTRC'],
    ...['R_PROFILE_USER', 'DOTNET_STARTUP_HOOKS', 'RIPGREP_CONFIG_PATH', 'OPENSSL_CONF', 'GCONV_PATH', 'WGETRC'],
    ...['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_EXEC_PATH', 'HGRCPATH', 'NPM_CONFIG_USERCONFIG'],
  ].map((name) => `${name}=x a`),
  'a library': ['LD_PRELOAD=./x.so ls', 'LD_AUDIT=a/x.so ls', 'DYLD_INSERT_LIBRARIES=./x ls', 'LD_PRELOAD=$PWD/x ls'],
  'options of a program': [
    ...[
      '--require=./x',
      '-r ./x',
      '--import=./x',
      '--experimental-loader ./x.mjs',
      '--import=data:text/javascript,a',
    ].map((options) => `NODE_OPTIONS='${options}' npm test`),
    ...['PERL5OPT=-Mx perl a', 'PERL5OPT=-d perl a', 'RUBYOPT=-r./x ruby a', 'RUBYOPT="-I. -rx" ruby a'],
    ...['JAVA_TOOL_OPTIONS=-javaagent:x.jar java a', 'JDK_JAVA_OPTIONS=@x java a', 'MAVEN_OPTS=-agentpath:x mvn test'],
    ...['MAKEFLAGS=-fx make', 'MAKEFLAGS="f x" make', 'GNUMAKEFLAGS=--eval=x make', 'GOFLAGS=-toolexec=./x go build'],
    ...['RUSTFLAGS="-C linker=./x" cargo build', 'CFLAGS=-fplugin=./x.so make', "LESS='+!./x' less a"],
    ...[
      'TAR_OPTIONS=--checkpoint-action=exec=./x tar cf a b',
      "PS4='$(./x)' bash -x a",
      'BUN_OPTIONS=--preload=./x bun a',
    ],
    ...["ERL_AFLAGS='-eval x' erl", 'GIT_ALLOW_PROTOCOL=ext git fetch'],
  ],
  'a command with a script': [
    ...["'sh ./x'", "'python3 x.py'", '"node x"', "'ssh -o ProxyCommand=./x'", "'ssh -F x'", "'a; ./x'"].map(
      (value) => `GIT_SSH_COMMAND=${value} git fetch`,
    ),
  ],
  'other ways to set it': [
    ...['export PAGER=./x; man a', 'env PAGER=./x man a', 'declare -x PAGER=./x; man a', 'sudo PAGER=./x man a'],
    ...['X=./x; PAGER=$X man a', 'X=x; PAGER="./$X" man a', 'PAGER=$(pwd)/x man a', 'X=PAGER; export $X=./x; man a'],
    ...[
      'export {PAGER,A}=./x; man a',
      'read PAGER <<< ./x; man a',
      'printf -v PAGER ./x; man a',
      ': ${PAGER:=./x}; man a',
    ],
    ...['for PAGER in ./x; do man a; done', 'declare -n r=PAGER; r=./x; man a', "sh -c 'PAGER=./x man a'"],
  ],
  'settings of Git': [
    ...['core.fsmonitor=./x', 'core.hooksPath=x', 'core.pager=./x', 'core.sshCommand=./x', 'diff.external=./x'],
    ...[
      'core.editor=a/x',
      'credential.helper=./x',
      'gpg.program=./x',
      'filter.a.clean=./x',
      'protocol.ext.allow=always',
    ],
    ...["alias.z='!./x'", 'diff.a.textconv=./x', 'merge.a.driver=./x'],
  ].map((setting) => `git -c ${setting} status`),
  'settings of Git in variables': [
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./x git status',
    `GIT_CONFIG_PARAMETERS="'core.fsmonitor=./x'" git status`,
    'git --config-env=core.fsmonitor=X status',
  ],
  'another repository for Git': [
    ...[
      'git --git-dir=x log',
      'git --git-dir x log',
      'git --exec-path=x log',
      'git push ./x main',
      'git push file:///w/x',
    ],
    ...['git clone -u ./x a', 'git fetch --upload-pack=./x a', 'git push --receive-pack ./x a', 'git clone ext::./x b'],
    ...['git grep -O./x a', 'git difftool --extcmd=./x', 'mkdir x; echo a > x/HEAD; git -C x log'],
  ],
  'an option of another program': [
    ...[
      'ssh -o ProxyCommand=./x h',
      "ssh -o 'ProxyCommand ./x' h",
      'ssh -oLocalCommand=./x h',
      'ssh -F x h',
      'scp -S ./x a h:',
    ],
    ...[
      'rsync -e ./x a h:',
      'rsync --rsh=./x a h:',
      'tar -I ./x -cf a b',
      'tar --use-comp=./x -cf a b',
      'man -P ./x ls',
    ],
    ...['sort --compress-prog=./x a', 'rg --pre ./x a', 'bat --pager=./x a', 'delta --pager ./x', 'fzf --preview ./x'],
    ...['wget --use-askpass=./x http://a', 'npm test --script-shell=./x', "npm run a --node-options='--require ./x'"],
  ],
  'a program that sets variables for another one': [
    ...[
      'cross-env NODE_OPTIONS=--require=./x a',
      'npx cross-env GIT_SSH=./x git fetch',
      'X="GIT_SSH=./x"; env $X git fetch',
    ],
    ...['systemd-run --user -E GIT_SSH=./x git fetch', 'printf -vGIT_SSH ./x; git fetch'],
  ],
  'the home folder of a program that runs what is in it': [
    'HOME=x bash -l',
    'HOME=x gdb a',
    'XDG_CONFIG_HOME=x nvim a',
  ],
};

const ON_WINDOWS: readonly string[] = [
  ...["$env:GIT_SSH='./x'; git fetch", '$env:PAGER = ".\\x"; git log', 'set GIT_SSH=.\\x&& git fetch'],
  "[Environment]::SetEnvironmentVariable('NODE_OPTIONS','--require=./x'); npm test",
];

const USUAL: readonly string[] = [
  ...['GIT_PAGER=cat git log', 'GIT_PAGER= git log', "PAGER='less -R' man a", 'GIT_EDITOR=true git rebase --continue'],
  ...[
    'GIT_SEQUENCE_EDITOR=: git rebase -i a',
    `GIT_SEQUENCE_EDITOR="sed -i '1d'" git rebase -i a`,
    'export EDITOR=vim',
  ],
  ...[
    "GIT_SSH_COMMAND='ssh -i key -o A=no' git fetch",
    'GIT_SSH_COMMAND="ssh -i $KEY" git fetch',
    'EDITOR="$EDITOR" a',
  ],
  ...[
    'EDITOR=${EDITOR:-vim} a',
    'EDITOR=$(which vim) a',
    'GIT_EDITOR="code --wait" git commit',
    'SHELL=/bin/bash make',
  ],
  ...["NODE_OPTIONS='-r ts-node/register' mocha", "NODE_OPTIONS='--import tsx' a", 'NODE_OPTIONS=--no-warnings a'],
  ...['MAKEFLAGS=-j4 make', 'MAKEFLAGS="-j$(nproc)" make', 'MAKEFLAGS=--no-print-directory make', 'GOFLAGS=-mod=mod a'],
  ...['RUBYOPT=-W0 ruby a', 'JAVA_TOOL_OPTIONS=-Xmx1g java a', 'JAVA_OPTS="-Da=@b" a', 'CFLAGS="-O2 -fPIC -I./a" make'],
  ...['RUSTFLAGS="-D warnings" cargo build', 'ENV=production npm start', 'BROWSER=none npm start', 'LESS=-FRX git log'],
  ...["PS4='+${LINENO}: ' bash -x a", 'OPENSSL_CONF=/dev/null openssl version', 'LD_PRELOAD=libjemalloc.so.2 ./a'],
  ...['git -c core.fsmonitor=false status', 'git -c core.hooksPath=/dev/null commit -m a', 'git -c core.pager=cat log'],
  ...['git -c alias.z=log z', 'git -c protocol.file.allow=always submodule update', 'git rev-parse --git-dir'],
  ...['git push -u origin main', 'git -C sub log', 'cd sub && git log', 'git clone ./a b', 'CC=clang make'],
  ...[
    'ssh -i key -o A=no h',
    "rsync -e 'ssh -p 2' -a src/ h:b",
    'tar -I zstd -cf a b',
    'man -P cat ls',
    'rg --pre pdftotext a',
  ],
  ...['npx cross-env NODE_ENV=test jest', 'ssh -F /dev/null h', 'tar czf a.tgz b', 'npm test -- --shell=./x'],
  ...["printf 'PAGER'", 'read name <<< a', 'KUBECONFIG=./k.yaml kubectl get pods', 'GIT_CONFIG_NOSYSTEM=1 git log'],
];

describe('A variable or a setting that makes programs run files of the workspace', () => {
  for (const [kind, lines] of Object.entries(STEERING))
    it(`asks in every mode: ${kind}`, () => {
      for (const line of lines) assert.equal(decide(line).action, 'ask', line);
    });

  it('asks in every mode on Windows', () => {
    for (const line of ON_WINDOWS) assert.equal(decide(line, 'windows').action, 'ask', line);
  });

  it('needs no approval if it names an installed program, or none', () => {
    for (const line of USUAL) assert.equal(decide(line).action, 'allow', `${line}: ${decide(line).reason}`);
  });

  it('is named', () => assert.match(decide('PAGER=./x man a').reason, /PAGER decides what other programs run/));
});

describe('A repository without a working tree in the workspace', () => {
  const asking = ['git -C bare log', 'cd bare && git status', 'git -C bare/deep status', 'git -C linked log'];
  const free = ['git -C sub log', 'git status', 'cd sub && git status', 'ls bare'];

  it('asks in every mode where Git would find it, for what its settings say', () => {
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'nothing',
        files: {
          ...{ 'bare/HEAD': 'ref: a\n', 'bare/objects/a': '', 'bare/refs/a': '', 'bare/deep/a': '' },
          ...{ 'linked/HEAD': 'ref: a\n', 'linked/commondir': '../x\n', 'sub/HEAD': 'no repository\n' },
        },
        approve: ({ command: line, reason }) => {
          asked.push(line ?? '');
          assert.match(reason, /is a repository without a working tree/);
          return { kind: 'reject', by: 'person' };
        },
        story: [
          { call: [...asking, ...free].map((line) => ({ name: 'execute_command', arguments: { command: line } })) },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('look');
        assert.deepEqual(asked.toSorted(), asking.toSorted());
      },
    );
  });
});
