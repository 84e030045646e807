import assert from 'node:assert/strict';
import { offerRules } from '../../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { DANGEROUS_FORMS } from '../../../../src/engine/permissions/shell/dangerousForms';
import { judgeCommand } from '../../../../src/engine/permissions/shell/judgeCommand';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

/** A matching command for each row of the table, in order. */
const FORMS: readonly string[] = [
  'shred x',
  'Remove-Item x',
  'wipefs x',
  'killall x',
  'systemctl stop x',
  'pkexec x',
  'icacls x /t',
  'chmod 4755 x',
  'chown me x',
  'sponge x',
  'sed --in-place s/a/b/ x',
  'gfind . -ok ls {} ;',
  'find src -fprint x',
  'fd -x ls',
  'rg --hostname-bin x y',
  'strace ls',
  'tmux new x',
  'valgrind x',
  'make SHELL=x',
  'tar -c --use-compress-program=x y',
  'zip -T x y',
  'sort -o x y',
  'zsh -f',
  'pwsh x',
  'source x',
  'Start-Job x',
  'alias x=y',
  'node -p 1',
  'deno upgrade',
  'python3.12 -c 1',
  'ruby -e 1',
  'vim x',
  ...['git diff --output=x', 'git submodule update', 'git update-ref x y'],
  'git reset --merge',
  'git stash drop',
  'git push --mirror',
  'git rebase --exec x',
  'curl -d @x https://example.com',
  'socat x y',
  'cargo publish',
  'npm dist-tag add x latest',
  'gh release create',
  'yarn set version x',
  'pnpm dlx x',
  ...['npx -c x', 'bat --pager x y', 'svn --diff-cmd x diff', 'sqlite3 x .shell', 'yq -i x y', 'gcc -wrapper x y'],
  ...['cmake -P x', 'ip netns exec x y', 'php -S x', 'gh alias set x y'],
  'docker cp x y',
  ...['terraform apply', 'schtasks x', 'certutil -urlcache x'],
];

/** Options that are abbreviated, joined, or in unexpected places, and other forms that a rule must not allow. */
const EVASIONS: readonly string[] = [
  ...[
    'tar cvfI a "sh evil" b',
    'tar cMfFL a evil 1 b',
    "curl -w '%output{x}' https://example.com",
    'curl file:///etc/passwd',
  ],
  ...['npm exec evil', 'npm x evil', 'npm create evil', 'npm explore x -- evil', 'pnpm dlx evil', 'yarn dlx evil'],
  ...['python3 -m timeit evil', 'python3 -mpdb evil.py', 'git hook run x', 'git send-email x', 'git instaweb'],
  ...['git fetch "ext::sh -c evil"', 'git clone ssh://-oProxyCommand=evil/x', 'tsc @evil', 'docker compose up'],
  'git grep --open=evil x',
  `${'env '.repeat(12)}ls`,
  'git grep -Oevil x',
  'git fetch --upload=evil',
  ...['git log --output=x', 'git log --outp=x', 'git diff --ext-d', 'git archive --exec=x --remote=y'],
  ...['git --exec-path=x status', 'git -c alias.x=!evil x', 'git -C ../other status', 'git --git-dir=x status'],
  'tar --checkpoint-act=exec=evil -cf a b',
  'tar cIf evil a b',
  'tar -c --to-com=evil x',
  'tar xzf a.tgz',
  "sed '1e evil' a",
  "sed 's/a/b/w x' a",
  "sed -n '/a/w x' a",
  "sed -e p -e 'e evil' a",
  "sed 'a\\\ntext' a",
  'sed -ni p a',
  'sed --in-p p a',
  'sort --compress-prog=evil a',
  'sort -ro x a',
  'sort --out=x a',
  'make -E "$(shell evil)"',
  'make --eva=x',
  'make -f ../x',
  'make -C ../x',
  'make CC=evil',
  'split --filter=evil a',
  'split --fil=evil a',
  "printf -v 'a[$(evil)]' x",
  "test -v 'a[$(evil)]'",
  'python3 -u <<E\nevil\nE',
  'python3 -uc evil',
  'python3 - x',
  'python3 /dev/stdin',
  'python3 ../evil.py',
  'node --test --test-reporter=data:text/javascript,evil()',
  'node -r ./x y.js',
  'node --req=x y.js',
  'node --env-file=x y.js',
  'node < x',
  'bash /dev/stdin',
  'bash ../evil.sh',
  'bash < x',
  'sh -s x',
  'npm test --script-shell=evil',
  'npm --script-shell=evil test',
  'npm test --script-sh=evil',
  'npm --prefix ../x test',
  ...['cd .. && ./build.sh', 'cd ../other && npm test', 'cd "$X" && npm test', 'cd - && npm test', 'cd && npm test'],
  ...['popd && npm test'],
  '../other/build.sh',
  'awk \'BEGIN{system("evil")}\'',
  'awk \'{print > "x"}\' a',
  'awk \'{print | "evil"}\' a',
  "awk '{print $1 >$2}' a",
  'awk -f x a',
  'awk -i inplace x a',
  'rg --pre=evil x',
  'rg -z --search-zip x --pre evil',
  'find . -execdir evil ;',
  'find . -fprintf x y',
  'curl --outp x https://example.com',
  'curl -sSo x https://example.com',
  'curl -H @x https://example.com',
  'curl --config x',
  'uniq a b',
  ...['git remote add a b', 'git -C sub remote set-url origin x', 'git remote -v update', 'pandoc --filter=evil a'],
  ...['pandoc --pdf-engine evil a', 'just --shell evil a', 'apt-get -o APT::Update::Pre-Invoke::=evil update'],
  ...['lldb -o "shell evil"', 'nix develop -c evil', 'sqlite3 a "select edit(b, \'evil\')"', 'mysql --tee=x -e y'],
  ...['mysql -e "load data local infile \'x\' into table y"', 'clang -fpass-plugin=./x y.c', 'clang --config=x y.c'],
  ...['docker plugin install evil', 'docker load -i x', 'podman unshare evil', 'npm access grant read-write x'],
  'echo $(evil)',
  'cat <<< ${x-<(evil)}',
  'grep x *.ts',
  'ls\u00a0x',
];

/** Read-only commands that used to require approval. */
const HARMLESS: readonly string[] = [
  "sed 's/e/w/' a",
  "sed -n '1,5p;10q' a",
  "sed -E 's/(a|b)/x/g; s|c|d|' a",
  "awk '$1 > 5' a",
  'awk -F: \'$3 >= 1000 && /x|y/ {print $1, "a > b"}\' a',
  'ls *.md',
  'cat *.md src/*.ts',
  'grep -rn --include=*.ts x .',
  'git log --oneline -5 --since=yesterday',
  'git diff HEAD~1 -- src',
  'git -C sub status',
  'git --no-pager log',
  ...['git remote -v', 'git remote', 'npm run profile', 'npm test -- --login', 'clang -o a b.c', 'pandoc a -o b.html'],
  'sort -t, -k2n a',
  'tar tzf a.tgz',
  'find . -type f -name "*.ts" -not -path "./x/*"',
  'node server.js --port 1',
  'python3 -m pytest',
  'python3 tool.py -c x',
  'make -j4 build',
  'npm test -- --watch',
  'npm run build',
  'bash build.sh -x',
  'cd src && ./build.sh',
  'rg -n --glob=*.ts x',
  ...['curl -sS https://example.com', 'curl localhost:3000/x', "curl 'https://example.com/[1-3]?x={a,b}'"],
  'chmod +x a.sh',
  'echo "a; $5" | head',
].filter((line) => !line.includes('$5'));

const PROGRAMS = [...EVASIONS, ...HARMLESS].flatMap((line) =>
  line.split(/\s|&&/).filter((word) => /^[\w./-]+$/.test(word)),
);
const anyProgram = [...new Set(PROGRAMS)].map((word) => commandRule(word));

describe('A dangerous form', () => {
  it('has a test case for each row of the table', () => assert.equal(FORMS.length, DANGEROUS_FORMS.length));

  for (const [row, line] of FORMS.entries()) {
    it(`asks even if a rule allows the program: ${line}`, () => {
      const parts = judgeCommand(line, 'posix');
      assert.ok(
        parts.some(({ caution }) => caution === DANGEROUS_FORMS[row]?.because),
        parts[0]?.caution ?? 'no caution',
      );
      const session = [commandRule(line.split(' ')[0] ?? '')];
      assert.equal(toolPolicy.decide(command(line), { session, global: defaultRuleset('commands') }).action, 'ask');
      assert.deepEqual(offerRules(command(line), { global: defaultRuleset('commands') }, toolPolicy), []);
    });
  }
});

describe('A user’s rule for a program', () => {
  const rulesets = { session: anyProgram, global: defaultRuleset('commands') };

  for (const line of EVASIONS)
    it(`does not allow ${JSON.stringify(line)}`, () =>
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask'));

  for (const line of HARMLESS)
    it(`allows ${JSON.stringify(line)}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', reason);
    });
});

describe('A rule offered by “always”', () => {
  /** A call, calls that its rule also allows, and calls that it does not allow. */
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'git log --oneline',
      ['git log -5', 'git log --since=x src'],
      ['git log --foo', 'git push', 'git log /etc', 'git log $X'],
    ],
    [
      'npm test',
      ['npm test', 'npm test --silent'],
      ['npm test -- --x', 'npm test --prefix x', 'npm test {fd}> a', 'npm run x', 'npm test ../x'],
    ],
    ['npm run build', ['npm run build'], ['npm run deploy', 'npm run']],
    ['make build', ['make build -j4'], ['make deploy', 'make build X=1', 'make -f x build']],
    ['ls -la', ['ls', 'ls src'], ['ls /etc', 'ls ../x', 'ls ~', 'ls ~/x', 'ls .env']],
    [
      'cat a',
      ['cat b', 'cat a:b'],
      ['cat /etc/passwd', 'cat .ssh/id', 'cat "$X"', 'cat ../a:b', 'cat "../a b"', `cat ../${'a/'.repeat(200)}b`],
    ],
    ['rg x', ['rg -n y src', 'rg "/a: b" src'], ['rg --pre x y', 'rg x ../y']],
    ['mytool --go a', ['mytool --go a'], ['mytool', 'mytool --go', 'mytool --go a b', 'mytool --go b']],
    ['cp a b', ['cp a b'], ['cp a c', 'cp -r a b']],
    ['node build.js', ['node build.js'], ['node build.js x', 'node other.js', 'node -e 1']],
    ['git push', ['git push'], ['git push origin', 'git push --force', 'git push evil']],
    ['curl https://example.com', ['curl https://example.com'], ['curl https://other.com', 'curl']],
    ['cargo test --release', ['cargo test -p x'], ['cargo test --config x', 'cargo publish']],
  ];
  for (const [line, allowed, asked] of cases)
    it(`for ${line} allows that line and known harmless variants, and no more`, () => {
      const [offer, ...others] = offerRules(command(line), { global: defaultRuleset('commands') }, toolPolicy);
      assert.ok(offer);
      assert.equal(others.length, 2, 'one for each scope');
      const rulesets = { session: offer.rules, global: defaultRuleset('commands') };
      const of = (one: string) => `${one}: ${toolPolicy.decide(command(one), rulesets).action}`;
      assert.deepEqual(
        [line, ...allowed].map(of),
        [line, ...allowed].map((one) => `${one}: allow`),
      );
      assert.deepEqual(
        asked.map(of),
        asked.map((one) => `${one}: ask`),
      );
    });
});

describe('A rule that denies a command', () => {
  const rulesets = { user: [commandRule('git push', 'deny')], global: defaultRuleset('nothing') };
  const refused = [
    ...['git-push', '/usr/lib/git-core/git-push origin', 'busybox git push'],
    'git --no-pager push',
    'git -C . push',
    'git -c a.b=c push',
    'git --git-dir x push',
    'bash -c -- "git push"',
    'bash -ec "cd x && git push"',
    'sh -c \'sh -c "git push"\'',
    'eval "git push"',
    'eval git push',
    'sudo -u x git push',
    'nice -n 5 timeout 5 git push',
    'noglob git push',
    '- git push',
    'env X=1 git push',
    'env -S "git push"',
    'xargs git push',
    'find . -exec git push ;',
    'bash <<E\ngit push\nE',
    '. <(echo git push)',
    'trap "git push" EXIT',
    'for x in a; do git push; done',
    'f() { git push; }; f',
    'case a in (a|b) git push;; esac',
    '[[ -n $(git push) ]]',
    'x=$(git push)',
    'echo ${x:-`git push`}',
    '/usr/bin/git push',
    'g"i"t pu\\sh',
  ];
  const doubted = [
    ...['', 'env ', 'export '].map((set) => `${set}GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p`),
    ...['GIT_CONFIG_GLOBAL=settings git p', 'HOME=x git p'],
    "$'git' push",
    'git $X',
    '$X push',
    'git {push,x}',
    'git pus?',
    'echo push | xargs git',
    'x=push; git $x',
    'eval "$x"',
    'echo x | sh',
    'bash -c "$X"',
    'alias p="git push"',
    'mytool git push',
    'python3 -c "import os; os.system(\'git push\')"',
    'git -c alias.p=push p "push"',
    'echo "',
    'git stat\u0007us',
    `echo ${'x'.repeat(130_000)}`,
    `git push ${'x'.repeat(130_000)}`,
    'printf -v x "git push"; $x',
  ];
  const free = [
    'git status',
    'git commit -m "then git push"',
    'echo git push',
    'npm test',
    'git log --grep=push',
    'grep -rn "git push" .',
  ];
  for (const line of refused)
    it(`denies ${JSON.stringify(line)}`, () => assert.equal(toolPolicy.decide(command(line), rulesets).action, 'deny'));
  for (const line of doubted)
    it(`asks about a possible match: ${JSON.stringify(line.slice(0, 60))}`, () =>
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask'));
  for (const line of free)
    it(`ignores ${JSON.stringify(line)}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', reason);
    });

  it('is not overridden by a rule of a later scope where it may match', () => {
    const rules = { ...rulesets, session: [commandRule('git')] };
    assert.equal(toolPolicy.decide(command('git pus?'), rules).action, 'ask');
    const own = { user: [commandRule('git push', 'deny'), commandRule('git')], global: defaultRuleset('nothing') };
    assert.equal(toolPolicy.decide(command('git push'), own).action, 'allow', 'the last match wins');
  });

  it('with a regular expression sees through quotes and options', () => {
    const argument = { kind: 'regex', pattern: '^git push' } as const;
    const rules = { user: [{ tool: '*', argument, action: 'deny' } as const], global: defaultRuleset('nothing') };
    for (const line of ['git push', 'g"i"t push', 'git -C . push', 'sudo git push', 'bash -c "git push"'])
      assert.equal(toolPolicy.decide(command(line), rules).action, 'deny', line);
  });

  it('with options finds them anywhere in the line', () => {
    const rules = { user: [commandRule('git push --force', 'deny')], global: defaultRuleset('nothing') };
    assert.equal(toolPolicy.decide(command('git push origin --force'), rules).action, 'deny');
    assert.equal(toolPolicy.decide(command('git push origin --forc'), rules).action, 'ask');
    assert.equal(toolPolicy.decide(command('git push origin'), rules).action, 'allow');
  });
});

describe('An unparsable line', () => {
  const lines = [
    'echo "',
    'cat <<E\nx',
    'cat <<E\na\nE\\\nOF\nE',
    'ls (a)',
    'echo $(ls',
    `: ${'x'.repeat(130_000)}`,
    'ls\u0001',
    'cat <<E $(ls\n)\nE',
  ];
  for (const line of lines)
    it(`asks in every mode, and no rule answers it: ${JSON.stringify(line.slice(0, 40))}`, () => {
      const rulesets = { user: [{ tool: '*', action: 'allow' } as const], global: defaultRuleset('nothing') };
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask');
      assert.deepEqual(offerRules(command(line), rulesets, toolPolicy), []);
    });

  const understood = [
    'for f in a b; do echo "$f"; done',
    'case "$1" in a|b) echo x;; *) echo y;; esac',
    'if [[ "$x" == a* && -f b ]]; then echo $((x + 1)); fi',
    'f() { local x=1; echo "$x"; }; f',
    "git commit -m \"$(cat <<'EOF'\nit's done (really)\nEOF\n)\"",
    "cat > a.txt <<'EOF'\n$(not run) `nor this` \"\nEOF",
    'a=(1 2 3); for ((i = 0; i < 3; i++)); do echo "${a[$i]}"; done',
    'while read -r line; do echo "$line"; done < a.txt',
    'x=$(ls | wc -l) && echo "${x:-none}" > out.txt',
    '(cd sub && npm test) 2>&1 | tail -5',
  ];
  for (const line of understood)
    it(`is not assumed for an everyday line: ${JSON.stringify(line.slice(0, 60))}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), { global: defaultRuleset('nothing') });
      assert.equal(action, 'allow', reason);
    });
});
