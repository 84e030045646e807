import assert from 'node:assert/strict';
import { type CommandMatch, matchCommand, mentionsCommand } from '../../../src/engine/permissions/matchCommand';
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
  ['git pus', 'git push', 'maybe'],
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
  ['git push -f origin', 'git push --force', 'maybe'],
  ['git push -uf', 'git push --force', 'maybe'],
  ['git push origin +main', 'git push --force', 'maybe'],
  ['git push --force', 'git push -f', 'maybe'],
  ['git push --tags', 'git push --force', 'no'],
  ['rm -fr x', 'rm -rf', 'yes'],
  ['rm -r -f x', 'rm -rf', 'yes'],
  ['rm -rvf x', 'rm -rf', 'yes'],
  ['rm --recursive --force x', 'rm -rf', 'maybe'],
  ['rm --rec -f x', 'rm -rf', 'maybe'],
  ['rm -r x', 'rm -rf', 'no'],
  ['find . -delete', 'find -delete', 'yes'],
  ['find . -type d -empty', 'find -delete', 'no'],
  ['git commit -nm x', 'git commit --no-verify', 'maybe'],
  ['git commit -am x', 'git commit --amend', 'no'],
  ['git p', 'git push', 'maybe'],
  ['git -C x sync', 'git push', 'maybe'],
  ['git-publish', 'git push', 'maybe'],
  ['git --version', 'git push', 'no'],
  ['git subtree pull', 'git push', 'no'],
  ['gh pr merge 1 --squash', 'git push', 'maybe'],
  ['gh -R a/b pr merge 1', 'git push', 'maybe'],
  ['gh pr view 1', 'git push', 'no'],
  ['gh pr create --title merge', 'git push', 'no'],
  ['glab mr merge 1', 'git push', 'maybe'],
  ['gh repo create x --push', 'git push', 'maybe'],
  ['gh repo create x', 'git push', 'no'],
  ['gh api -X PUT repos/a/b/pulls/1/merge', 'git push', 'maybe'],
  ['gh api repos/a/b/git/refs -f ref=x', 'git push', 'maybe'],
  ['gh api graphql -f query=mutation', 'git push', 'maybe'],
  ['gh api graphql --input x', 'git push', 'maybe'],
  ['gh api repos/a/b/contents/x', 'git push', 'no'],
  ['gh api -X GET repos/a/b/contents/x -f ref=main', 'git push', 'no'],
  ['gh api graphql -f query={a}', 'git push', 'no'],
  ['curl -XPUT https://api.github.com/repos/a/b/pulls/1/merge', 'git push', 'maybe'],
  ['curl https://api.github.com/repos/a/b/contents/x', 'git push', 'no'],
  ['curl -d x https://example.com', 'git push', 'no'],
  ['gt submit', 'git push --force', 'maybe'],
  ['npx np', 'git push', 'maybe'],
  ['npx --yes rimraf x', 'rm -rf', 'maybe'],
  ['unlink x', 'rm', 'maybe'],
  ['find . -delete', 'rm', 'maybe'],
  ['git clean -fdx', 'rm', 'maybe'],
  ['unlink x', 'rm -rf', 'no'],
  ['mv x y', 'rm', 'no'],
  ['python3.12 a.py', 'python', 'maybe'],
  ['pip3 install x', 'pip install', 'maybe'],
  ['nodejs a.js', 'node', 'maybe'],
  ['wget https://example.com', 'curl', 'maybe'],
  ['podman run x', 'docker run', 'maybe'],
  ['docker-compose up', 'docker compose', 'yes'],
  ['pnpm add -g x', 'npm install -g', 'maybe'],
  ['npm add x', 'npm install', 'yes'],
  ['yarn test', 'npm install', 'no'],
  ['pnpm publish', 'npm publish', 'maybe'],
  ['pnpm dlx x', 'npx', 'maybe'],
  ['npm test', 'npm run test', 'maybe'],
  ['base64 x', 'base32', 'maybe'],
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
