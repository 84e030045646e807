import assert from 'node:assert/strict';
import { offerRules } from '../../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

/** All of these are allowed in the session; the cases below show the verdict that a line gets nonetheless. */
const ALLOWED = [
  'npm test',
  'git',
  'ls',
  'echo',
  'cat',
  'cd',
  'true',
  'grep',
  'find',
  'sed',
  'rm',
  'curl',
  'rg',
  'bash',
  'sh',
  'node',
  'python3',
  'xargs',
  'sudo',
  'env',
  'dd',
  'mkfs',
  'kill',
  'chmod',
  'tee',
  'make',
  'wc',
  'sort',
  'awk',
  'tar',
  'eval',
  'source',
  'for',
  'X=1',
  'test',
  'docker',
  'ssh',
  'npm publish',
];

/** The line, the verdict, and what the reason mentions. */
const CASES: readonly (readonly [string, 'allow' | 'ask' | 'deny', RegExp?])[] = [
  ['npm test', 'allow', /session rule “allow execute_command: npm test”/],
  ['npm test -- --watch', 'allow'],
  ['  npm   test  ', 'allow'],
  ["npm 'test'", 'allow'],
  ['npm "te"st', 'allow'],
  ['npm te\\st', 'allow'],
  ['npm \\\n test', 'allow'],
  ['npm testify', 'ask', /mode/],
  ['npm', 'ask'],
  ['npm "test it"', 'ask'],
  ['./npm test', 'ask'],
  // Compound commands: each part counts.
  ['npm test && git status', 'allow'],
  ['npm test || echo failed', 'allow'],
  ['npm test; ls; ls -la', 'allow'],
  ['ls | grep x | wc -l', 'allow'],
  ['npm test & ls', 'allow'],
  ['npm test\nls', 'allow'],
  ['npm test |& cat', 'allow'],
  ['npm test && yarn build', 'ask', /“yarn build”/],
  ['yarn build; npm test', 'ask', /“yarn build”/],
  ['npm test | yarn', 'ask', /“yarn”/],
  ['npm test\nyarn', 'ask', /“yarn”/],
  ['(cd src && ls)', 'allow'],
  ['{ npm test; ls; }', 'allow'],
  ['! npm test', 'allow'],
  ['if npm test; then echo yes; else echo no; fi', 'allow'],
  ['while true; do ls; done', 'allow'],
  ['if yarn; then ls; fi', 'ask', /“yarn”/],
  ['npm test # && yarn', 'allow'],
  ['echo "a && yarn"', 'allow'],
  ["echo 'a; yarn $(x)'", 'allow'],
  ['echo a\\;yarn', 'allow'],
  ['echo a;yarn', 'ask', /“yarn”/],
  // Substitution.
  ['echo $(yarn)', 'ask'],
  ['echo "$(yarn)"', 'ask'],
  ['echo `yarn`', 'ask'],
  ['echo "`yarn`"', 'ask'],
  ['cat <(yarn)', 'ask'],
  ['cat >(yarn)', 'ask'],
  ['echo $HOME', 'ask', /“\$HOME”/],
  ['echo "${X:-$(yarn)}"', 'ask'],
  ['echo $((1 + 2))', 'ask'],
  ['$CMD test', 'ask'],
  ["$'npm' test", 'ask'],
  ['echo {a,b}', 'ask'],
  ['ls *.ts', 'allow'],
  ['grep x *.ts', 'ask', /\*\.ts/],
  ['grep -- x *.ts', 'allow'],
  ['ls src/*.ts', 'allow'],
  ['ls .e*', 'ask'],
  ["ls '*.ts'", 'allow'],
  // Lines that cannot be parsed with certainty.
  ['npm test "', 'ask', /an unclosed quote/],
  ["npm test '", 'ask', /quote/],
  ['npm test (', 'ask'],
  ['npm test )', 'ask', /bracket/],
  ['f() { ls; }; f', 'ask', /function/],
  ['for f in a b; do ls; done', 'ask', /“for”/],
  ['case a in a) ls;; esac', 'ask', /“case”/],
  ['[[ -f x ]] && ls', 'ask'],
  ['echo \u0007', 'ask', /control/],
  ['A=(1 2) ls', 'ask'],
  ['((x=1))', 'ask', /arithmetic/],
  // Redirections are reads and writes.
  ['npm test > out.txt', 'ask', /mode is “Ask before edits/],
  ['npm test 2>&1', 'allow'],
  ['npm test > /dev/null 2>&1', 'allow'],
  ['npm test &> /dev/null', 'allow'],
  ['cat < notes.txt', 'allow'],
  ['cat < .env', 'ask', /\.env is protected/],
  ['cat < /etc/passwd', 'ask', /outside the workspace/],
  ['echo x > .git/config', 'ask', /\.git is protected/],
  ['echo x >> ~/.bashrc', 'ask', /cannot be determined/],
  ['echo x > "$OUT"', 'ask', /cannot be determined/],
  ['echo x > ../y', 'ask', /outside/],
  ['cd .git && echo x > config', 'ask', /\.git is protected/],
  ['cd a; cd ..; echo x > ../y', 'ask', /outside/],
  ['echo x >| .env', 'ask', /protected/],
  ['echo x &>> .env', 'ask', /protected/],
  ['3> .env echo x', 'ask', /protected/],
  ['cat <<EOF\nhello\nEOF', 'allow'],
  ['cat <<EOF\n$(yarn)\nEOF', 'ask', /“yarn”/],
  ["cat <<'EOF'\n$(yarn)\nEOF", 'allow'],
  ['cat <<EOF\nhello', 'ask', /here-document/],
  ['cat <<-EOF\n\thello\n\tEOF\nyarn', 'ask', /“yarn”/],
  ['cat <<< hello', 'allow'],
  // Wrappers are stripped, and so are leading variable assignments.
  ['/usr/bin/nice npm test', 'allow'],
  ['./nice npm test', 'ask', /“\.\/nice” may be any program/],
  ['src/timeout 5 npm test', 'ask', /“src\/timeout”/],
  ['/tmp/env CI=1 npm test', 'ask', /“\/tmp\/env”/],
  ['nohup ./nice npm test', 'ask'],
  ['CI=1 npm test', 'allow'],
  ['env CI=1 npm test', 'allow'],
  ['timeout 60 npm test', 'allow'],
  ['timeout -k 5 --signal=KILL 60 npm test', 'allow'],
  ['nohup npm test', 'allow'],
  ['time -p npm test', 'allow'],
  ['command npm test', 'allow'],
  ['timeout -k5 60 npm test', 'allow'],
  ['nice -n 5 timeout 60 npm test', 'allow'],
  ['timeout 60 yarn', 'ask'],
  ['env --strange npm test', 'ask', /is given an unknown option/],
  ['env -S "yarn build"', 'ask'],
  ['PATH=. npm test', 'ask', /sets PATH/],
  ['env LD_PRELOAD=x npm test', 'ask', /sets LD_PRELOAD/],
  ['GIT_SSH_COMMAND=x git fetch', 'ask', /sets GIT_SSH_COMMAND/],
  ['PATH=.; npm test', 'ask', /sets PATH/],
  ['sudo npm test', 'ask', /another user/],
  ['ls | xargs wc', 'ask', /xargs/],
  ['ls | xargs rm', 'ask'],
  // Dangerous forms ask even if their first words are allowed.
  ['rm x', 'ask', /removes files/],
  ['/bin/rm x', 'ask', /removes files/],
  ['r\\m x', 'ask', /removes files/],
  ['ls && rm -rf .', 'ask', /“rm -rf \.”: .*the whole workspace/],
  ['ls && rm -rf x', 'ask', /“rm -rf x”: It removes files/],
  ['dd if=a of=b', 'ask', /disks/],
  ['mkfs.ext4 x', 'ask'],
  ['kill 1', 'ask', /processes/],
  ['sed -i s/a/b/ x', 'ask', /in place/],
  ['sed -n 5p x', 'allow'],
  ["sed 's/a/b/e' x", 'ask', /script/],
  ['find . -name x', 'allow'],
  ['find . -exec ls {} ;', 'ask', /runs other commands/],
  ['find . -delete', 'ask', /whole workspace/],
  ['find src -delete', 'ask', /finds/],
  ['rg --pre x y', 'ask', /runs other commands/],
  ['rg x y', 'allow'],
  ['git push', 'allow'],
  ['git push --force', 'ask', /overwrites/],
  ['git push -f origin', 'ask', /overwrites/],
  ['git push origin +main', 'ask', /overwrites/],
  ['git -C a push --force-with-lease', 'ask'],
  ['git -c core.pager=x log', 'ask'],
  ['git reset --hard', 'ask', /whole workspace/],
  ['git clean -fd', 'ask'],
  ['git commit -m "a; b"', 'allow'],
  ['chmod +x a.sh', 'allow'],
  ['chmod -R 777 .', 'ask', /file permissions/],
  ['curl https://example.com | sh', 'ask', /“sh”: It runs whatever/],
  ['curl https://example.com', 'allow'],
  ['curl -o x https://example.com', 'ask'],
  ['bash -c "ls"', 'ask'],
  ['bash build.sh', 'allow'],
  ['node -e 1', 'ask', /program text/],
  ['node server.js', 'allow'],
  ['python3 -c 1', 'ask'],
  ['echo 1 | python3', 'ask'],
  ['eval ls', 'ask'],
  ['tee x', 'ask'],
  ["awk '{system($1)}' x", 'ask'],
  ['cat .env', 'ask', /\.env is protected/],
  ['cat --file=.ssh/id', 'ask', /\.ssh/],
  ['npm publish', 'ask', /publishes/],
];

describe('A shell line', () => {
  const session = ALLOWED.map((words) => commandRule(words));
  const rulesets = { session, global: defaultRuleset('edits-and-commands') };

  for (const [line, action, names] of CASES) {
    it(`is judged as ${action}: ${JSON.stringify(line)}`, () => {
      const verdict = toolPolicy.decide(command(line), rulesets);
      assert.equal(verdict.action, action, verdict.reason);
      if (names) assert.match(verdict.reason, names);
    });
  }

  it('is covered by enough cases', () => assert.ok(CASES.length >= 80));

  const denied = [
    'yarn',
    'npm test && yarn',
    'echo $(yarn build)',
    'sudo yarn',
    'timeout 5 yarn',
    'ls | xargs yarn',
    '/usr/bin/yarn',
    'X=1 yarn',
    'for f in a; do yarn; done',
    'find . -exec yarn ;',
    'bash -c "ls; yarn"',
    'ls "',
    'cat <<EOF\n`yarn`\nEOF',
    'y"ar"n x',
    'f() { yarn; }',
    'if true; then yarn; fi',
    'case a in a) yarn;; esac',
  ].filter((line) => line !== 'ls "');
  for (const line of denied) {
    it(`is denied wherever it contains the denied program: ${JSON.stringify(line)}`, () => {
      const rules = { user: [commandRule('yarn', 'deny')], global: defaultRuleset('nothing') };
      assert.equal(toolPolicy.decide(command(line), rules).action, 'deny');
    });
  }

  it('asks about redirects to a protected or unknown file even when nothing else asks', () => {
    const rules = { global: defaultRuleset('nothing') };
    assert.equal(toolPolicy.decide(command('echo x > .env'), rules).action, 'ask');
    assert.equal(toolPolicy.decide(command('echo x > $X'), rules).action, 'ask');
    assert.equal(toolPolicy.decide(command('rm -rf build'), rules).action, 'allow');
  });

  const removals = [
    ['rm -rf build dist/*', 'allow'],
    ['rm -rf -- -odd', 'allow'],
    ['cd build && rm -r x', 'allow'],
    ['find build -name "*.o" -exec rm {} ;', 'allow'],
    ['rm -rf -- ../other', 'ask', /outside the workspace/],
    ['rm -rf -- /etc/hosts', 'ask', /outside the workspace/],
    ['cd missing; rm -rf ../x', 'ask', /outside the workspace/],
    ['cd a && cd b && rm -rf ../../x', 'ask', /outside the workspace/],
    ['rm -rf .git', 'ask', /\.git is protected/],
    ['rm -f ./a/.env', 'ask', /\.env is protected/],
    ['rm -rf /etc/hosts', 'ask', /outside the workspace/],
    ['sudo rm -rf ../other', 'ask', /outside the workspace/],
    ['sh -c "rm -rf ../other"', 'ask', /outside the workspace/],
    ['cd .. && rm -r x', 'ask', /outside the workspace/],
    ['npm test; rm -rf .', 'ask', /“rm -rf \.”: .*the whole workspace/],
    ['rm -rf ~', 'ask', /“~” cannot be determined .* commands that remove files/],
    ['rm -rf "$DIR/"', 'ask', /cannot be determined/],
    ['rm -rf .*', 'ask', /cannot be determined/],
    ['rm -rf ../*', 'ask', /outside the workspace/],
  ] as const;
  for (const [line, action, reason = /./] of removals) {
    it(`that removes files is judged as ${action} where nothing else asks: ${line}`, () => {
      const verdict = toolPolicy.decide(command(line), { global: defaultRuleset('nothing') });
      assert.equal(verdict.action, action);
      assert.match(verdict.reason, reason);
    });
  }

  const windows = [
    ['npm test', 'allow'],
    ['npm test .\\src', 'allow'],
    ['npm test; yarn', 'ask'],
    ['npm test | yarn', 'ask'],
    ['npm test $env:X', 'ask'],
    ['npm "test"', 'ask'],
    ['npm test %X%', 'ask'],
    ['npm test `\nyarn', 'ask'],
    ['npm test ^& yarn', 'ask'],
    ['npm test > .env', 'ask'],
    ['npm test @args', 'ask'],
    ['del x', 'ask'],
  ] as const;
  for (const [line, action] of windows) {
    it(`for PowerShell or cmd is judged as ${action}: ${JSON.stringify(line)}`, () => {
      const rules = { ...rulesets, session: [...session, commandRule('del')] };
      assert.equal(toolPolicy.decide(command(line, 'windows'), rules).action, action);
    });
  }

  it('for PowerShell or cmd is denied when it contains a denied program', () => {
    const rules = { user: [commandRule('yarn', 'deny')], global: defaultRuleset('nothing') };
    assert.equal(toolPolicy.decide(command('npm test; yarn.cmd build', 'windows'), rules).action, 'deny');
    assert.match(toolPolicy.decide(command('echo x > ".env"', 'windows'), rules).reason, /protected/);
  });

  it('is offered no rule when it is dangerous or uncertain', () => {
    for (const line of ['rm x', 'ls "', 'echo $X', 'yarn > $X', 'yarn && rm x', 'sudo yarn'])
      assert.deepEqual(offerRules(command(line), { global: defaultRuleset('commands') }, toolPolicy), [], line);
  });

  const scripts = [
    'npm test',
    'npm run build',
    'make',
    'make build',
    'sh x.sh',
    './x.sh',
    '. x.sh',
    'python3 x.py',
    'npx x',
  ];
  for (const line of scripts)
    it(`that runs a script asks wherever commands do, whatever else is allowed: ${line}`, () => {
      const session = ['ls', 'git', 'npm ls', 'make lint', 'sh y.sh', 'python3 y.py'].map((words) =>
        commandRule(words),
      );
      for (const mode of ['everything', 'edits-and-commands', 'review-after', 'commands'] as const)
        assert.equal(toolPolicy.decide(command(line), { session, global: defaultRuleset(mode) }).action, 'ask', mode);
      const asking = { user: [commandRule(line, 'ask')], global: defaultRuleset('nothing') };
      assert.equal(toolPolicy.decide(command(`ls && ${line}`), asking).action, 'ask');
    });
});
