import assert from 'node:assert/strict';
import { type CommandMatch, matchCommand, mentionsCommand } from '../../../src/engine/permissions/matchesRule';
import type { ShellWord } from '../../../src/engine/permissions/shell/shellPart';

/** Splits a line into words; only the shell knows a word that begins with `$`. */
const words = (line: string): ShellWord[] =>
  line
    .split(' ')
    .filter(Boolean)
    .map((text) => ({ text, kind: text.startsWith('$') ? 'unknown' : 'exact' }));

/** The command that runs, the command that a rule names, and whether they match. */
const CASES: readonly (readonly [string, string, CommandMatch])[] = [
  ['', 'git', 'no'],
  ['$X', 'git', 'maybe'],
  ['$X push', 'git push', 'maybe'],
  ['ls', 'git', 'no'],
  ['git', 'git', 'yes'],
  ['/usr/bin/git', 'git', 'yes'],
  ['git status', 'git push', 'no'],
  ['git push', 'git push', 'yes'],
  ['git -C sub push', 'git push', 'yes'],
  ['git --no-pager push', 'git push', 'yes'],
  ['git log push', 'git push', 'no'],
  ['git $X', 'git push', 'maybe'],
  ['git $X push', 'git push', 'yes'],
  ['git remote add x', 'git remote add', 'yes'],
  ['git remote remove x', 'git remote add', 'no'],
  ['npm pub', 'npm publish', 'maybe'],
  ['git pus', 'git push', 'no'],
  ['git push', 'git push --force', 'no'],
  ['git push origin --force', 'git push --force', 'yes'],
  ['git push --force=x', 'git push --force', 'yes'],
  ['git push --fo', 'git push --force', 'maybe'],
  ['git push --', 'git push --force', 'no'],
  ['git push $X', 'git push --force', 'maybe'],
  ['git push -uf', 'git push -f', 'yes'],
  ['git push -u', 'git push -f', 'no'],
  ['git status --force', 'git push --force', 'no'],
  ['git send-pack origin', 'git push', 'yes'],
  ['git -C sub subtree push --prefix x', 'git push', 'yes'],
  ['git-send-pack origin', 'git push', 'yes'],
  ['git remote-https origin', 'git push', 'yes'],
  ['hub push', 'git push', 'yes'],
  ['jj git push', 'git push', 'yes'],
  ['gh repo sync', 'git push', 'yes'],
  ['git send-pack --force origin', 'git push --force', 'yes'],
  ['git send-pack origin', 'git push --force', 'no'],
  ['git log send-pack', 'git push', 'no'],
  ['git subtree pull', 'git push', 'no'],
  ['git lfs pull', 'git push', 'no'],
  ['gh repo view', 'git push', 'no'],
];

describe('Broad matching of a command rule', () => {
  for (const [line, rule, match] of CASES)
    it(`returns ${match} for “${line}” with the rule “${rule}”`, () =>
      assert.equal(matchCommand(words(line), rule.split(' ')), match));
});

describe('Text that may start a command', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['git push', 'git push', true],
    ['git status; git push', 'git push', true],
    ['git -C x push', 'git push', true],
    ["g'it' push", 'git push', true],
    ['push; git', 'git push', false],
    ['git', 'git push', false],
    ['push', 'git push', false],
    ['git push', 'git push --force', false],
    ['git push --force', 'git push --force', true],
    ['os.system("/usr/bin/git push")', 'git push', true],
    ['git push push', 'git push push', true],
    ['git push', 'git push push', false],
  ];
  for (const [text, rule, isMeant] of cases)
    it(`${isMeant ? 'is' : 'is not'} “${text}” with the rule “${rule}”`, () =>
      assert.equal(mentionsCommand([text], rule.split(' ')), isMeant));
});
