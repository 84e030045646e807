import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

const global = defaultRuleset('nothing');
/** A shell line that writes to something protected without naming it literally. */
const WRITES = `'echo x > .g""it/config'`;

const ASKED = {
  'a program whose name is not literal': [
    'g$1it config core.fsmonitor x',
    'r$1m -rf build',
    "$'rm' -rf build",
    'r{m,} -rf build',
    '/bin/r? -rf build',
    '$(printf rm) -rf build',
    '`echo rm` -rf build',
    '"$(printf "rm -rf build ")"/x',
    'set -- rm -rf build; "$@"',
    'for c in rm; do $c -rf build; done',
    'read c <<< rm; $c -rf build',
    'printf -v c rm; $c -rf build',
    '${c:=rm} -rf build',
    'c[0]=rm; $c -rf build',
    'f() { $1 -rf build; }; f rm',
    'c=rm; d="-rf $c"; $d build',
    'for c in config; do git $c core.fsmonitor x; done',
    'c="rm -rf "; $c/build',
    'c[0]=config; git --git-dir .git $c core.fsmonitor x',
    'c[0]=config; git --namespace x $c core.fsmonitor x',
  ],
  'a variable that the line sets': [
    'c=config; git $c core.fsmonitor x',
    'c=git; $c config core.fsmonitor x',
    'c="git config"; $c core.fsmonitor x',
    'export c=git; ${c} config core.fsmonitor x',
    'c=-o; sort $c ../x a',
    "sh -c 'c=git; $c config core.fsmonitor x'",
    '${GIT:-git} config core.fsmonitor x',
    '$(which git) config core.fsmonitor x',
  ],
  'an option or words next to an expansion that may be empty': [
    'tar $1xf a',
    'tar "$1"xf a',
    'tar $=X$(true)xf a',
    "tar $'x\\x66' a",
    'tar `true`-xf a',
    'tar {xf,a}',
    'sort $1-o ../x a',
    'curl {-K,x} http://a.b/',
    'rsync -$1-del a .',
    'find . -del$1ete',
    'git reset ${X:-$(true)}--hard',
    'git stash {-a,}',
    'git -c {core.worktree=../x,y} checkout -- a',
    'sh $1-c "touch ../x"',
    'sh {-c,"touch ../x"}',
    'cat $1.env',
    'cat src/$X$(true).env',
  ],
  'an option among the values of a loop': [
    'for c in -o; do sort $c ../x a; done',
    'for c in a -o../x; do sort "$c"; done',
    'for c in --output; do sort $c=../x; done',
    'select c in -o../x; do sort $c; done',
    'for f in -delete; do find . $f; done',
    'for f in -exec; do find . $f touch ../x \\;; done',
    'for c in -xf; do tar $c a; done',
    'for c in --hard; do git reset $c; done',
    "for c in -c; do sh $c 'touch ../x'; done",
    'for v in of; do dd if=a $v=../x; done',
    'c=a; for c in -o; do sort $c ../x; done',
    'for c in -o; do sort $c ../x; c=a; done',
    "trap 'sort $c ../x' EXIT; for c in -o; do :; done",
  ],
  'an option passed as an argument': [
    'set -- -o; sort $1 ../x',
    'set -- -delete; find . "$@"',
    'set -- xf a; tar "$@"',
    'set -- --hard; git reset "$@"',
    'set -- \'touch ../x\'; sh -c "$1"',
    'f() { sort $1 ../x; }; f -o',
    'f() { local o=$1; shift; sort $o "$@"; }; f -o ../x',
    "sh -c 'sort $1 ../x' x -o",
    'getopts o: x -o ../x; sort -$x $OPTARG',
  ],
  'an option in a list of values': [
    'a=(-o ../x); sort "${a[@]}"',
    'a=(\'-o\' "../x"); sort ${a[*]:0:2}',
    'a[0]=-o; a[1]=../x; sort "${a[@]}"',
    'a[1]=-o; a[2]=../x; sort "${a[@]}" a',
    'a+=(-o); a+=(../x); sort "${a[@]}"',
    'declare -A m=([a]=-o../x); sort "${m[a]}"',
    'IFS=, ; c=-o,../x; sort $c',
    `IFS='a,${'!'.repeat(150)}'; c=-o,../x; sort $c`,
  ],
  'an option that is read or printed into a variable': [
    'printf -v c "git %s" config; eval "$c core.fsmonitor x"',
    'read c <<< -o; sort $c ../x',
    'read -r c d <<< "-o ../x"; sort $c $d a',
    'while read x y; do sort $x $y; done <<E\n-o ../x\nE',
    'echo "-o ../x" | while read x y; do sort $x $y; done',
    'while read -r x; do sort $x; done < <(echo -o ../x)',
    'mapfile -t a <<< "-o../x"; sort "${a[@]}"',
    'printf -v c %s -o; sort $c ../x',
    'printf -v c -- -o; sort $c ../x',
    'c=a; read c <<< -o; sort $c ../x',
    ...['time', 'time -p', 'command', 'builtin', 'noglob', '-', 'exec'].flatMap((begin) => [
      `${begin} read c <<< -o; sort $c ../x`,
      `${begin} printf -v c %s -o; sort $c ../x`,
    ]),
    'time mapfile -t a <<< -o../x; sort "${a[@]}"',
    'command getopts o: x -o ../x; sort -$x $OPTARG',
    'c=$(echo -o../x); sort $c',
    'sort `printf %s%s -o ../x`',
    'sort $(cat <<< "-o ../x")',
    'sort $(cat <<E\n-o ../x\nE\n)',
    'echo -o../x | xargs sort',
    "printf '%s%s ' - o ../x | xargs sort",
  ],
  'an option made by an expansion': [
    'sort ${c:=-o../x}',
    ': ${c:=-o../x}; sort $c',
    'sort ${c:+-o../x}',
    'c=-; sort ${c}o ../x',
    'c=-; sort "$c"o../x',
    'c=-; cp "$c"t .. a',
    'ct=a; c=-; cp "$c"t .. a',
    `c=-; cp "$c"'t' .. a`,
    'ct=a; c=-; cp $c\\\nt .. a',
    'c=o; sort -$c ../x',
    'c=o; d=-$c; sort $d ../x',
    "c=$'-o'; sort $c ../x",
    'c=x-o; sort ${c#x} ../x',
    'c=Xo; sort ${c/X/-} ../x',
    'c=-O; sort ${c,,}../x',
    'c=a-o../x; sort ${c:1}',
    'n=c; c=-o../x; sort ${!n}',
    'declare -n r=c; c=-o; sort $r ../x',
    'c=aXb; sort ${c//*X*/-o} ../x',
    'f() { echo -o; }; sort $(f) ../x',
    'f() { printf %s -o; }; c=$(f); sort $c ../x',
    "X=-o sh -c 'sort $X ../x'",
    "env X=-o sh -c 'sort $X ../x'",
  ],
  'an option that is the name of a new file': [
    '> -og; sort *',
    'touch -- -og; sort a *',
    'touch ./-og; sort -*',
    'cp a ./--files0-from=x && rsync [!x]* b',
    'cd src; touch -- -og; sort ?og',
  ],
  'text piped into a shell': [
    `echo ${WRITES} | sh`,
    `echo -e 'ls\\necho x > .g""it/config' | sh`,
    `printf '%s\\n' ${WRITES} | bash -s`,
    `printf 'echo x > .%s""%s/config' g it | sh`,
    `cat <<< ${WRITES} | sh`,
    `cat <<'E' | sh\necho x > .g""it/config\nE`,
    `echo ${WRITES} | tee a | sudo sh`,
    `echo ${WRITES} | taskset 1 sh`,
  ],
  'text passed to a shell as a file': [
    `sh /dev/stdin <<< ${WRITES}`,
    `bash /dev/fd/0 <<< ${WRITES}`,
    `. /dev/stdin <<< ${WRITES}`,
  ],
  'text that another program passes to a shell': [
    ...['taskset 1 sh', 'unshare -r sh', 'setpriv --x bash', 'fakeroot sh', 'systemd-run --user sh', 'chroot . sh'].map(
      (begin) => `${begin} -c ${WRITES}`,
    ),
    ...['script -qc', 'watch -n1', 'su -c', 'npx -c', 'npm exec -c', 'npm exec --call', 'flock a -c'].map(
      (begin) => `${begin} ${WRITES}`,
    ),
    `parallel ${WRITES} ::: a`,
    `git rebase --exec ${WRITES} main`,
    `git rebase --exe=${WRITES} main`,
    `git submodule foreach ${WRITES}`,
    `git bisect run sh -c ${WRITES}`,
  ],
} as const;

/** The denied command, written so that its words are not next to each other. */
const HIDDEN = [
  ...['taskset 1', 'poetry run', 'uv run', 'mise exec --', 'valgrind', 'cmake -E env'].flatMap((begin) => [
    `${begin} sh -c 'gi$1t push'`,
    `${begin} python3 -c 'run("gi" + "t push")'`,
  ]),
  `echo 'gi$1t push' | uv run sh`,
  ...['GIT_EDITOR', 'PAGER', 'LESSOPEN', 'BROWSER', 'RUSTC_WRAPPER', 'CC', 'env GIT_EDITOR', 'export VISUAL'].map(
    (name) => `${name}='gi$1t push' git commit`,
  ),
  ...["NODE_OPTIONS='--import=x'", "GOFLAGS='-toolexec=x'", "PERL5DB='BEGIN{x}'"].map((set) => `${set} make`),
  ...['sqlite3 x', "sqlite3 -cmd '.x' x", 'psql -c', 'mysql -e', 'vim -c', 'less', 'dc -e', 'fzf --preview'].map(
    (begin) => `${begin} '${/sql/.test(begin) ? (begin.startsWith('sqlite') ? '.shell' : '\\!') : '+!'} gi$1t push'`,
  ),
  ...['ed', 'm4', 'dc', 'sqlite3', 'psql', 'crontab -', 'batch', 'at now', 'make -f -'].map(
    (end) => `echo 'gi$1t push' | ${end}`,
  ),
  ...["ssh localhost 'gi$1t push'", "rsync --rs='gi$1t push' a b:c", "go test -exec 'gi$1t push' ./..."],
  `npx tsx -e 'run("gi" + "t push")'`,
  ...['docker exec x', 'podman run --rm x', 'docker compose run x', 'kubectl exec x --', 'lxc exec x --'].map(
    (begin) => `${begin} sh -c 'gi$1t push'`,
  ),
  ...['flatpak run --command=sh x -c', 'flatpak-spawn --host sh -c', 'distrobox enter x -- sh -c', 'wsl -e sh -c'].map(
    (begin) => `${begin} 'gi$1t push'`,
  ),
  ...['yarn exec', 'yarn dlx', 'pnpm exec', 'npm exec', 'bunx', 'cross-env-shell', 'run-p', 'sg x', 'fish -c'].map(
    (begin) => `${begin} 'gi$1t push'`,
  ),
  ...['xterm -e', 'adb shell', 'vagrant ssh -c', 'gh cs ssh --', 'rsh host', 'sshpass -p x ssh host', 'pdsh -w x'].map(
    (begin) => `${begin} "g'it' pu'sh'"`,
  ),
  `taskset 1 awk 'BEGIN { system("gi" "t push") }'`,
  ...['python3 -W ignore -c', 'node --title x -e', 'node --conditions x -p', 'ruby -I lib -e', 'perl -I lib -e'].map(
    (begin) => `${begin} 'run("gi" + "t push")'`,
  ),
  ...['gjs -c', 'qjs -e', 'mongosh --eval', 'ipython --command', 'swift -e', 'hy -c', 'micropython -c'].flatMap(
    (begin) => [`${begin} 'run("gi"+"t","push")'`, `${begin}='run("gi" + "t push")'`],
  ),
  ...['sk -c', 'zellij run --command', 'nim --eval', 'apt-get -o APT::Update::Pre-Invoke::=', 'man -H'].map(
    (begin) => `${begin} 'gi$1t push'`,
  ),
  ...['bun', 'deno'].map((begin) => `${begin} run - <<< 'run("gi" + "t push")'`),
];

/** Calls that no rule for the program allows. */
const RULED = [
  ...[
    "curl '{file}:///etc/passwd'",
    "curl '[f-f]ile:///etc/passwd'",
    "git remote-ext x 'sh -c evil'",
    'git merge-index x y',
  ],
  ...[
    'npm init evil',
    'npm exe evil',
    'npx -p x -c evil',
    "psql -c '\\! evil'",
    'fzf --preview=evil',
    'taskset 1 evil',
    'emulate sh -c evil',
    'mapfile -C evil -c 1 x',
  ],
];

/** Lines that stay allowed alongside a rule that denies something else. */
const PLAIN = [
  ...['GIT_EDITOR=true git rebase --continue', 'GIT_PAGER=cat git log', 'CC=gcc make', 'GOFLAGS=-mod=mod go build'],
  ...[
    'NODE_OPTIONS=--max-old-space-size=4096 npm test',
    "sqlite3 x.db 'select * from a'",
    "psql -c 'select $1 from a'",
  ],
  "docker exec web sh -c 'npm test && ls'",
  'gh pr create --body "Adds `x`, see (c)"',
  "gh api graphql -f query='{ a { b } }'",
  "kubectl get pods -o jsonpath='{.items[*].metadata.name} x'",
  `npm run build -- --define '{"a": "b c"}'`,
  ...["jq -e '.a | .[0]' a", "rg -e 'a (b|c) d'", 'mytool -e staging -c config.json', 'hugo -e production'],
  ...['python3 -W ignore a.py -c x', 'node --test a.js -e b', "mytool --run 'TestA|TestB'"],
  ...['vim a', 'less a', 'man ls', 'crontab -l', 'ssh host uptime', 'make test', 'JSON=\'{"a": "b c"}\' node a.js'],
];

const FREE = [
  ...['git show HEAD@{1.day}', 'echo a{.}b', 'cat {a.b}'],
  '"$PYTHON" -m pytest',
  '$HOME/.local/bin/poetry install',
  '~/.cargo/bin/cargo build',
  '${PYTHON:-python3} -m x',
  'PY=python3; $PY -m pytest',
  'make -j$(nproc)',
  'tsc --outDir "$PWD/out"',
  'git diff $base..HEAD',
  'sort -k"$n" a',
  'sed -n "${a},${b}p" a',
  'tar czf "backup-$(date +%F).tgz" src',
  'ls src/{engine,host}',
  'BIN=./node_modules/.bin; $BIN/tsc',
  '$(npm bin)/eslint src',
  '$(which node) a.js',
  '"$(go env GOPATH)/bin/golangci-lint" run',
  'for t in a b; do ./scripts/$t.sh; done',
  'for b in a b; do git switch $b; done',
  'eval "$(ssh-agent -s)"',
  'for f in a b; do bash "$f"; done',
  'if [ -f a ]; then cat a; fi',
  "echo 'npm test' | sh",
  "poetry run python -c 'print(1)'",
  "watch -n1 'ls -l'",
  "docker exec x sh -c 'ls > /tmp/x'",
  'brew install bash node',
  'npx -y create-vite x',
  'for o in -u -r; do sort $o a; done',
  'for f in a b; do sort -u "$f" | grep -v x; done',
  'set -- --verbose a; mytool "$@"',
  'a=(--coverage --watch=false); npm test -- "${a[@]}"',
  'args=(-n -v); rsync "${args[@]}" a b',
  'while read -r f; do sort "$f"; done < list.txt',
  "printf '%s\\n' -o ../x; sort $f",
  'echo "use -o FILE" && sort "$f"',
  "cat > a.md <<'E'\n- -o ../x\nE\nsort $f",
  'for o in -o; do sort -- $o; done',
  'for o in -rf; do echo $o; done',
  'f() { grep -n "$1" a; }; f -o',
  'sort *',
  'sort *.txt',
  'touch -- -og; sort -- *',
  'touch -- -og; ls *',
  'touch -- -og; sort ./*',
  'x=src; cat ${x}/a "$x"/b',
  'docker run -v ${PWD}:/x -e HOME=/root a',
  'pytest -o log_cli=true',
  "mytool <<< 'rm -rf ..'",
  'find . -execdir ls {} +',
  "ruby -e 'puts %w(a b)'",
  "node -e 'console.log(`a ${1}`)'",
  `sqlite3 a "insert into t values ('x')"`,
  "sed 's/a/b/;w out' a",
  'shopt -s nullglob; for f in *.txt; do echo $f; done',
  'ssh host "rm -rf build"',
] as const;

describe('A command that a line starts indirectly', () => {
  for (const [kind, lines] of Object.entries(ASKED))
    it(`asks in every mode: ${kind}`, () => {
      for (const line of lines) assert.equal(toolPolicy.decide(command(line), { global }).action, 'ask', line);
    });

  it('asks about a possible denied command where it cannot be read', () => {
    for (const line of HIDDEN) {
      const rulesets = { user: [commandRule('git push', 'deny')], global };
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
    }
  });

  it('is not allowed by a rule for the first word', () => {
    for (const line of RULED) {
      const rulesets = { session: [commandRule(line.split(' ')[0] ?? '')], global: defaultRuleset('commands') };
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
    }
  });

  it('is not suspected in plain lines', () => {
    for (const line of PLAIN) {
      const rulesets = { user: [commandRule('git push', 'deny')], global };
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', `${line}: ${reason}`);
    }
  });

  it('is followed only up to a limit, then asks', () => {
    const values = Array.from({ length: 8 }, (_, at) => `X='eval $X $X ${at}'`).join(';');
    assert.equal(toolPolicy.decide(command(`${values}${';eval $X'.repeat(90)}`), { global }).action, 'ask');
  });

  for (const line of FREE)
    it(`needs no approval: ${line}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), { global });
      assert.equal(action, 'allow', reason);
    });
});
