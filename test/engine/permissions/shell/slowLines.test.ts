import assert from 'node:assert/strict';
import { judgeCommand } from '../../../../src/engine/permissions/shell/judgeCommand';

/** Lines made so that an expression that can read a part of them in two ways reads all of them in a million ways or more. */
const SLOW: readonly [what: string, line: string][] = [
  ['redirections glued together behind a group', `{ ls; }${'>a1'.repeat(60)} ;`],
  ['options of Ruby in a variable', `RUBYOPT='-w ${'-E--jit '.repeat(60)}s' ruby a.rb`],
  ['options of Perl in a variable', `PERL5OPT='${'-Mstrict-w'.repeat(60)} x' perl a.pl`],
  ['blanks in a sed script', `sed '${' '.repeat(990)}%' a.txt`],
  ['folders of processes', `cat ${'/proc/'.repeat(1600)}'\n'${'$a'.repeat(1600)}/$`],
  ['blanks in Python code', `python3 -c "${'\t'.repeat(1600)}\n''${'\t'.repeat(1600)}(''''"`],
  ['modes of files in code', `python3 -c "${'open('.repeat(300)}'${'w'.repeat(2900)}"`],
];

describe('A line made to be slow', () => {
  for (const [what, line] of SLOW) {
    it(`is judged at once: ${what}`, () => assert.ok(judgeCommand(line, 'posix').length > 0));
  }

  it('asks if its arguments are too long to tell whether they print secrets', () => {
    const [part] = judgeCommand(`gh ${`${'b'.repeat(12_000)} `.repeat(5)} status`, 'posix');
    assert.match(part?.unread ?? '', /secret/);
  });
});
