import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { judgeCommand } from '../../../../src/engine/permissions/shell/judgeCommand';
import type { ShellPart } from '../../../../src/engine/permissions/shell/shellPart';
import { shellParts } from '../../../../src/engine/permissions/shell/shellParts';
import { unwrapCommand } from '../../../../src/engine/permissions/shell/unwrapCommand';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { fuzzSize } from '../../../support/fuzzSize';
import { command, commandRule } from '../queries';

const LINES = fuzzSize(120_000);
const PIECES = [
  'npm',
  'test',
  'rm',
  '-rf',
  'a',
  'b1',
  ' ',
  '  ',
  '\t',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '(',
  ')',
  '{',
  '}',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '$',
  '${',
  '$((',
  '))',
  '<',
  '>',
  '>>',
  '<<EOF',
  'EOF',
  '<<<',
  '<(',
  '>(',
  '2>&1',
  '&>',
  '#',
  '*',
  '?',
  '[',
  ']',
  '~',
  '=',
  'X=1',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'esac',
  '!',
  'sudo',
  'env',
  'xargs',
  'timeout',
  '5',
  '-c',
  '\r',
  '\u0000',
  'é',
  '€',
  '/dev/null',
  '.env',
  '../',
  ',',
  '..',
  '-',
  '--',
  '@',
  '%',
  '^',
] as const;

/** A seeded generator, so that a failing line can be reproduced. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomLine(next: (below: number) => number, pieces: readonly string[]): string {
  return Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)] ?? '').join('');
}

const shape = ({ assignments, words, redirections }: ShellPart) => JSON.stringify([assignments, words, redirections]);

describe('Splitting a shell line', () => {
  it('terminates for random lines, and splits each part into itself again', () => {
    const next = numbers(20_260_101);
    let certain = 0;
    for (let count = 0; count < LINES; count++) {
      const line = randomLine(next, PIECES);
      const { parts, unclear } = shellParts(line, 'posix');
      judgeCommand(line, 'posix');
      judgeCommand(line, 'windows');
      for (const part of parts) unwrapCommand(part.words);
      if (unclear !== null) continue;
      certain++;
      for (const part of parts.filter(({ text }) => !text.includes('<<'))) {
        const again = shellParts(part.text, 'posix');
        assert.equal(again.unclear, null, line);
        assert.ok(
          again.parts.map(shape).includes(shape(part)),
          `${JSON.stringify(line)} → ${JSON.stringify(part.text)}`,
        );
      }
    }
    assert.ok(certain > LINES / 50, `only ${certain} lines were certain, so the test says little`);
  });

  it('terminates for deep nesting and long lines', () => {
    for (const piece of [
      '$(',
      '`',
      '${',
      '$((',
      '"$((',
      '((',
      '[[ a && $(',
      '(( 1 + $(',
      '[[ a || ((',
      '"$(',
      '(',
      '{ ',
      '<(',
      '"${',
      'sudo ',
      "'",
      '\\',
    ])
      for (const count of [100, 5000]) {
        assert.ok(judgeCommand(piece.repeat(count), 'posix').length >= 0);
        assert.ok(judgeCommand(piece.repeat(count), 'windows').length >= 0);
      }
    assert.notEqual(shellParts('a'.repeat(130_000), 'posix').unclear, null);
  });

  it('handles a line of maximum length, whatever is repeated in it', () => {
    for (const [piece, length] of [
      ['case x in ', 99_000],
      ['time -p ', 99_000],
      ['find . -exec ', 40_000],
      ['eval ', 20_000],
    ] as const)
      assert.ok(judgeCommand(piece.repeat(length / piece.length), 'posix').length > 0, piece);
    for (const program of ['awk', 'sed'])
      assert.ok(judgeCommand(`${program} '${'/[a'.repeat(30_000)}'`, 'posix').length > 0);
    for (const [before, piece, behind] of [
      ['cp a b', '/', 'c'],
      ['ln -s a ', '/', 'c'],
      ['psql -c "', '\n', 'x"'],
      ['test ', '[', ''],
      ['ls .a', ',.a', '{'],
      ['tar ', 'fC', ' a b'],
      ['', '1', 'a'],
    ] as const)
      assert.ok(judgeCommand(`${before}${piece.repeat(19_000 / piece.length)}${behind}`, 'posix').length > 0, before);
    assert.ok(judgeCommand(`sed ${`'${'s/a/b/'.repeat(80)}' `.repeat(150)}`, 'posix').length > 0);
  });

  /** Each is within the maximum line length and has more parts than any real line. */
  const OVERFULL = {
    'commands behind each other': 'a;'.repeat(40_000),
    'commands that hang together': 'a&&'.repeat(30_000),
    pipes: 'a|'.repeat(40_000),
    'a pipe into shells': `echo 'ls' ${'| sh '.repeat(15_000)}`,
    words: `rm ${'a '.repeat(40_000)}`,
    redirections: `a ${'>b '.repeat(30_000)}`,
    assignments: 'a=b;'.repeat(20_000),
    'here-documents': 'cat <<E\nE\n'.repeat(9000),
    substitutions: 'echo `a`;'.repeat(9000),
    'substitutions in a here-document': `cat <<E\n${'$(a)'.repeat(20_000)}\nE`,
    'a word that is no name and no text': `echo ${'a'.repeat(60_000)}`,
    'a word in arithmetic': `((${'a'.repeat(60_000)}))`,
    'lines for a shell': "sh -c 'ls';".repeat(8000),
    'what a variable is filled in with': `X='${'y '.repeat(90)}';${'eval $X;'.repeat(70)}`,
    'options that a variable may be': `set -- ${'-a '.repeat(1400)};${'cp $1 b;'.repeat(300)}`,
    'text that a variable may be': `set -- ${'ls '.repeat(1400)};${'eval $1;'.repeat(300)}`,
    'folders in which it may be': `cd a;cd b;cd c;rm ${'d '.repeat(2500)}`,
    'what find starts': `find . ${'-exec a {} + '.repeat(2000)}`,
    'tests in tests': `${'[[ a || $('.repeat(4)}${'a b;'.repeat(900)}${') ]]'.repeat(4)}`,
    'text in many shells': Array.from({ length: 5 }).reduce<string>(
      (text) => `sh -c '${text.replaceAll("'", `'\\''`)}'`,
      'a;'.repeat(9000),
    ),
  };
  for (const [what, line] of Object.entries(OVERFULL))
    it(`stops analyzing an overly complex line and asks: ${what}`, () => {
      assert.ok(line.length <= 100_000, `${line.length}`);
      for (const shell of ['posix', 'windows'] as const) {
        if (shell === 'windows' && !/commands|pipes|words|assign/.test(what)) continue;
        const [part, ...others] = judgeCommand(line, shell);
        assert.deepEqual(others, []);
        assert.deepEqual(part?.files, []);
        const { action, reason } = toolPolicy.decide(command(line, shell), { global: defaultRuleset('nothing') });
        assert.equal(action, 'ask');
        assert.match(reason, /more than can be judged/);
        const rulesets = { user: [commandRule('git push', 'deny')], global: defaultRuleset('nothing') };
        assert.equal(toolPolicy.decide(command(line, shell), rulesets).action, 'ask');
      }
    });

  it('has enough capacity for long everyday lines', () => {
    const lines = [
      `cat > a.txt <<'E'\n${'a line of text; with "signs" in it\n'.repeat(2500)}E`,
      `git add ${Array.from({ length: 800 }, (_, at) => `src/file${at}.ts`).join(' ')}`,
      Array.from({ length: 200 }, (_, at) => `mkdir -p build/${at} && cp src/${at}.ts build/${at}/a.ts`).join('\n'),
      `echo '${'some text of a file\n'.repeat(900)}' > a.txt`,
      `for f in ${Array.from({ length: 150 }, (_, at) => `src/f${at}.ts -x`).join(' ')}; do ${'wc -l "$f";'.repeat(20)} done`,
    ];
    for (const line of lines) {
      const { action, reason } = toolPolicy.decide(command(line), { global: defaultRuleset('nothing') });
      assert.equal(action, 'allow', reason);
    }
  });

  it('marks commands that start each other many times as unknown', () => {
    const parts = judgeCommand(`${'find . -exec '.repeat(50)}cp a b`, 'posix');
    assert.ok(parts.some(({ obscure }) => obscure !== null));
    assert.ok(parts.some(({ files }) => files.some(({ kind, paths }) => kind === 'change' && paths === null)));
  });

  it('finds the same words as bash', function () {
    if (!existsSync('/bin/bash')) return this.skip();
    const next = numbers(7);
    const pieces = [
      'a',
      'b c',
      ' ',
      ' ',
      '"',
      "'",
      '\\',
      '\\"',
      "\\'",
      '=',
      '#',
      'x',
      '{',
      '}',
      ',',
      '!',
      '-',
      ' \\\n ',
      '$',
      '~',
    ];
    const lines: string[] = [];
    while (lines.length < fuzzSize(3000)) {
      const line = `w ${randomLine(next, pieces)}`;
      const { parts, unclear } = shellParts(line, 'posix');
      const exact = parts.length === 1 && parts[0]?.words.every(({ kind }) => kind === 'exact');
      // What follows a comment is a separate command.
      if (unclear === null && exact && !/#.*\n/.test(line)) lines.push(line);
    }
    const script = ["w() { printf '%s\\0' \"$@\"; printf '\\1'; }", ...lines].join('\n');
    const { stdout, stderr } = spawnSync('/bin/bash', ['-c', script], { encoding: 'utf8', maxBuffer: 1e8 });
    assert.equal(stderr, '');
    const told = stdout.split('\u0001').slice(0, -1);
    assert.equal(told.length, lines.length);
    lines.forEach((line, index) => {
      const words = shellParts(line, 'posix').parts[0]?.words.slice(1) ?? [];
      // Without arguments, printf writes a single empty one.
      const expected = words.length === 0 ? '\0' : words.map(({ text }) => `${text}\0`).join('');
      assert.equal(told[index], expected, JSON.stringify(line));
    });
  }).timeout(30_000);
});
