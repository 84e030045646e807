import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command, commandRule } from '../queries';

/** In each of these, some shell starts or writes something that the first words do not reveal. */
const ESCAPES = {
  'a brace that ends a group in zsh without a separator': [
    '{ ls } always { git push }',
    'if { ls } { ls } else { git push }',
    'while { ls } { git push }',
  ],
  'a redirection that zsh forces with an exclamation mark': [
    'echo x >! ../../evil',
    'echo x >!/tmp/evil',
    'echo x >>! /tmp/evil',
    'echo x &>! /tmp/evil',
  ],
  'a group that zsh starts across a line continuation': ['f() {\\\ntouch $1; }; f ../out', '{\\\ntouch ../out; }'],
  'a group that zsh starts after “time”': [
    'time {touch ../out; }',
    'time -p ! {cp a ../out; }',
    'time > x {touch ../out; }',
  ],
  'a folder that is left repeatedly': [
    'for x in a b; do echo > out; cd ..; done',
    'while cd ..; do echo > out; done',
    'f() { echo > out; cd ..; }; f; f',
    'function f { touch out; cd ..; }; f; f',
  ],
  'a folder that is left by a timed command': [
    'time X=1 cd .. ; > out',
    'time -p X=1 Y=2 cd ..; touch out',
    'time ! cd ..; touch out',
    'time ! ! cd ..; echo > out',
  ],
  'a folder that is left by evaluated text': [
    "eval 'cd ..'; touch out",
    "eval c''d ..; touch out",
    "trap 'cd ..' DEBUG; touch out",
    'X=cd; $X ..; touch out',
    '$(printf cd) .. && echo > out',
  ],
  'a trap that runs in another folder': [
    "trap 'echo > out' EXIT; cd ..",
    "trap -- 'touch out' EXIT; if true; then cd ..; fi",
    'eval \'trap "touch out" EXIT\'; cd ..',
    "cd src; trap 'touch out' DEBUG; X=cd; $X ..; ls",
  ],
  'arithmetic that dash reads as two groups': [
    '((mv src ..))',
    '(( cp -r src ../../elsewhere ))',
    '((touch ../x))',
    '((rm -rf / src))',
  ],
  'a folder that is left in a test that some shells read as a command': [
    'for x in a b; do ls <> a | [[ a || cd\nsrc\ncd .. ]]; done',
    'for x in a b; do echo > out; [[ a || cd .. ]]; done',
  ],
  'a folder that is found through CDPATH': [
    'CDPATH=..; cd x && touch out',
    'export CDPATH=..; cd x; echo > out',
    'for CDPATH in ..; do cd x; touch out; done',
    ': ${CDPATH:=..}; cd x; touch out',
  ],
  'a program file that zsh finds by “=” and a name': ['echo x > =git', 'tee =git', 'cp a =git', 'cat < =git'],
} as const;

/** The denied command, written so that its words are not next to each other. */
const HIDDEN = {
  'arithmetic that dash reads as two groups': ['((gi$1t push))', '((gi$(true)t push))', 'X=git; (($X push))'],
  'a test that dash reads as a command': ['[[ a || gi""t push ]]', '[[ a ]] || [[ b || $X push ]]', '[[ a\n$X push ]]'],
  'a test nested in a test or in arithmetic': ['[[ a || $([[ b || $X push ]]) ]]', '(( 1 + $([[ b || $X push ]]) ))'],
  'a loop without “in”': ['set -e; f() { for x do $X push; done; }', 'for x { $X push; }', 'select x do $X push; done'],
  'the values of a loop': ["for x in 'a[$($X push)]'; do echo $((x)); done"],
  'a named coprocess': ['coproc N { $X push; }', 'coproc N if $X push; then ls; fi'],
  'a timed group': ['time if $X push; then ls; fi', 'time -p while $X push; do ls; done'],
  'a repeated command': ['repeat 2 $X push', 'foreach x (a) $X push; end'],
  'an expansion that zsh splits into words': ['A=git; $=A push', 'A=git; $~A push', 'A=git; $^A push'],
  'arithmetic in the value of a variable': ['x=\'a[$(gi""t push)]\'; echo $((x))', "read x <<< 'a[`$X push`]'"],
  'a trap after two dashes': ['trap -- \'gi""t push\' EXIT'],
  'text for another shell': [
    "emulate sh -c '$X push'",
    "bash -oc errexit '$X push'",
    "zsh --emulate sh -c '$X push'",
    "compgen -C '$X push'",
  ],
  'zsh variables that define aliases or functions': ["aliases[ls]='$X push'; ls", "functions[ls]='$X push'; ls"],
  'a plus sign that does not end a find action': ['find . -exec timeout + $X push ;'],
  'the second replacement string of xargs': ['echo git | xargs -I a -I % % push'],
  'text for an interpreter': [
    'python3 -c \'import os; os.system("gi" + "t push")\'',
    "node -e 'run(1)'",
    'awk \'BEGIN { system("gi" "t push") }\'',
    'git -c alias.x=\'!gi""t push\' x',
    "make --eval 'x:; $X push'",
  ],
  'several inputs that zsh joins': [
    'echo gi""t push | sh <<< a',
    'echo gi""t push |\n# b\n{ sh <<< a; }',
    'true | echo gi""t push |& sh <<< a',
    'sh < script <<< a',
    'sh <<< a < <(echo gi""t push)',
    'sh <> script <<< a',
    "sh <<< 'gi\\' <<< 't push'",
    'echo gi""t push | sh << E\na\nE',
  ],
  'a # right after a list of values, which starts no comment': ['a=(1 2)#x $X push', 'a=(1 2)#x\\\ntime $X push'],
  'a quoted substitution': ["PS4='$($X push)'; set -x; ls", "mytool 'a `$X push`'"],
} as const;

describe('Syntax that shells read differently', () => {
  const allowed = ['ls', 'echo', 'true', 'cd', 'find', 'env', 'timeout'].map((words) => commandRule(words));

  for (const [kind, lines] of Object.entries(ESCAPES))
    it(`asks in every mode: ${kind}`, () => {
      for (const line of lines) {
        const rulesets = { session: allowed, global: defaultRuleset('nothing') };
        assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
      }
    });

  for (const [kind, lines] of [...Object.entries(ESCAPES), ...Object.entries(HIDDEN)])
    it(`does not bypass a deny rule: ${kind}`, () => {
      for (const line of lines) {
        const rulesets = { user: [commandRule('git push', 'deny')], global: defaultRuleset('nothing') };
        assert.notEqual(toolPolicy.decide(command(line), rulesets).action, 'allow', line);
      }
    });

  it('asks where a rule names a script that a shell takes for a program', () => {
    const rules = ['bash bash', 'sh git', 'zsh -e', '. git', 'source git'].map((words) => commandRule(words));
    const lines = [
      'bash <<< ls bash -c "git push"',
      'sh git push',
      'zsh -e -- git push',
      '. git push',
      'source git push',
    ];
    for (const line of lines) {
      const rulesets = { session: rules, global: defaultRuleset('commands') };
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask', line);
    }
  });

  it('does not cause prompts for everyday lines', () => {
    const lines = [
      '[[ "$x" =~ ^(a|b)$ ]] && ls',
      '[[ -f a && "$x" == b* ]] || ls',
      '(( (a + b) * 2 > 3 )) && ls',
      '((i++))',
      '[ a = b ] || test a == b',
      'echo a=b ==== > x',
      'for f in src/*.ts; do echo "$f"; done',
      'for x; do echo "$x"; done',
      'time npm test',
      'find . -name x -exec ls {} + -exec ls {} ;',
      "trap 'rm -f build/x' EXIT",
      'bash -euo pipefail -c ls',
      "awk '{ print $1 }' a.txt",
      'echo ls | sort <<< a',
      'sh <<< ls',
      'sh build.sh',
      'bash scripts/build --now',
      '. .venv/bin/activate',
      'echo a | cat && sh <<< ls',
      'echo a || sh <<< ls',
    ];
    for (const line of lines) {
      const rulesets = { global: defaultRuleset('nothing') };
      const { action, reason } = toolPolicy.decide(command(line), rulesets);
      assert.equal(action, 'allow', `${line}: ${reason}`);
    }
  });
});
