import assert from 'node:assert/strict';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { deniedOutright, toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import type { PermissionRule, ResolvedQuery } from '../../../src/engine/permissions/permissionRule';
import { nodePorts } from '../../../src/node/nodePorts';
import { command, edit } from '../permissions/queries';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loader = new AgentLoader(nodePorts({ env: process.env, ripgrepCandidates: [], log }));

/** Returns the rules of an agent with these lines in its front matter. */
async function rulesOf(...head: string[]): Promise<readonly PermissionRule[]> {
  const { agent } = await loader.readText(['---', ...head, '---', 'You.'].join('\n'), 'a');
  assert.ok(agent);
  return agent.rules;
}

const decide = (agent: readonly PermissionRule[], query: ResolvedQuery) => toolPolicy.decide(query, { agent }).action;

describe('The permission map of an agent', () => {
  it('decides on commands by the last matching pattern', async () => {
    const rules = await rulesOf(
      ...[
        'permission:',
        '  bash:',
        '    "*": deny',
        '    "git *": allow',
        '    "git push*": ask',
        '    npm test: allow',
      ],
    );
    const of = (line: string) => decide(rules, command(line));
    assert.equal(of('ls -l'), 'deny');
    assert.equal(of('git status --short'), 'allow');
    assert.equal(of('git push origin'), 'ask');
    assert.equal(of('npm test'), 'allow');
    assert.equal(of('npm test --watch'), 'deny');
    assert.equal(of('git status && rm -rf x'), 'deny', 'each part is judged');
  });

  it('matches narrowly when it allows and broadly when it denies', async () => {
    const rules = await rulesOf('permission:', '  bash:', '    "git*": allow', '    "rm*": deny');
    const of = (line: string) => decide(rules, command(line));
    assert.equal(of('git log'), 'allow');
    assert.equal(of('gitk'), 'ask');
    assert.equal(of('rm a'), 'deny');
    assert.equal(of('rmdir a'), 'deny');
    assert.equal(of('sudo rm a'), 'deny');
  });

  it('denies a command even when its arguments span lines', async () => {
    const rules = await rulesOf('permission:', '  bash:', '    "*": allow', '    "*--force*": deny', '    "? x": deny');
    for (const line of ['git push --force', 'git push "a\nb" --force', 'git push \\\n  --force'])
      assert.equal(decide(rules, command(line)), 'deny', line);
    assert.equal(decide(rules, command('git push "a\nb"')), 'allow');
  });

  it('decides on files by path, and a single word applies to a whole tool', async () => {
    const rules = await rulesOf('permission:', '  edit:', '    "*": deny', '    "docs/**": allow', '  read: allow');
    assert.equal(decide(rules, edit('docs/a/b.md')), 'allow');
    assert.equal(decide(rules, edit('src/a.ts')), 'deny');
    assert.equal(decide(rules, { ...edit('src/a.ts'), tool: 'fs_read', category: 'read' }), 'allow');
  });

  it('lets the last entry win, also between wildcards and names', async () => {
    const closed = await rulesOf('permission:', '  read: allow', '  "*": deny');
    const open = await rulesOf('permission:', '  "*": deny', '  read: allow');
    const isOffered = (rules: readonly PermissionRule[], name: string) =>
      !deniedOutright({ name, category: 'read' }, [rules]);
    assert.deepEqual([isOffered(closed, 'fs_read'), isOffered(open, 'fs_read')], [false, true]);
    assert.equal(isOffered(open, 'fs_grep'), false);
  });

  it('treats our name and the OpenCode name of a tool alike', async () => {
    const theirs = await rulesOf('permission:', '  bash:', '    "make *": allow');
    const ours = await rulesOf('permission:', '  execute_command:', '    "make *": allow');
    for (const rules of [theirs, ours]) assert.equal(decide(rules, command('make all')), 'allow');
  });

  it('applies a wildcard for tools to agents too', async () => {
    const { agent } = await loader.readText('---\npermission:\n  "*": allow\n  task:\n    "x-*": deny\n---\nYou.', 'a');
    assert.deepEqual(agent?.taskTargets, [
      { pattern: '*', action: 'allow' },
      { pattern: 'x-*', action: 'deny' },
    ]);
  });
});
