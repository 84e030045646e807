import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../src/engine/permissions/defaultRuleset';
import { offerRules } from '../../../src/engine/permissions/offerRules';
import type { JudgedQuery, PermissionRule, Rulesets } from '../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';

const edit = (relative: string): JudgedQuery => ({
  tool: 'fs_edit',
  category: 'write',
  paths: [{ path: `/w/${relative}`, relative, outside: false }],
});
const command = (line: string): JudgedQuery => ({
  tool: 'execute_command',
  category: 'execute',
  command: line,
  paths: [],
});
const allowCommand = (...words: string[]): PermissionRule => ({
  tool: 'execute_command',
  argument: { kind: 'command', words },
  action: 'allow',
});

function decide(query: JudgedQuery, rulesets: Rulesets = {}) {
  return toolPolicy.decide(query, { global: defaultRuleset('edits-and-commands'), ...rulesets });
}

describe('the tool policy', () => {
  it('asks when no rule covers a call', () => {
    assert.equal(toolPolicy.decide(edit('a.ts'), {}).action, 'ask');
  });

  it('lets the last match of a scope win, unless a priority says otherwise', () => {
    const allow: PermissionRule = { tool: 'fs_edit', action: 'allow' };
    const deny: PermissionRule = { tool: 'fs_*', action: 'deny' };
    assert.equal(decide(edit('a.ts'), { session: [allow, deny] }).action, 'deny');
    assert.equal(decide(edit('a.ts'), { session: [deny, allow] }).action, 'allow');
    assert.equal(decide(edit('a.ts'), { session: [{ ...allow, priority: 1 }, deny] }).action, 'allow');
  });

  it('asks the scopes in order: user, session, workspace, agent, global', () => {
    const rule = (action: PermissionRule['action']): PermissionRule[] => [{ tool: '*', action }];
    assert.equal(decide(edit('a.ts'), { user: rule('deny'), session: rule('allow') }).action, 'deny');
    assert.equal(decide(edit('a.ts'), { session: rule('allow'), workspace: rule('deny') }).action, 'allow');
    assert.equal(decide(edit('a.ts'), { agent: rule('deny') }).action, 'deny');
  });

  it('names the rule and its scope in the verdict', () => {
    const { reason } = decide(command('npm test'), { session: [allowCommand('npm', 'test')] });
    assert.equal(reason, 'The session rule “allow execute_command: npm test” applies.');
  });

  const modes = [
    ['everything', 'ask', 'ask', 'ask'],
    ['edits-and-commands', 'allow', 'ask', 'ask'],
    ['commands', 'allow', 'allow', 'ask'],
    ['nothing', 'allow', 'allow', 'allow'],
  ] as const;
  for (const [mode, read, write, execute] of modes) {
    it(`in the mode “${mode}”: read ${read}, write ${write}, execute ${execute}, to-dos never ask`, () => {
      const global = defaultRuleset(mode);
      const of = (query: JudgedQuery) => toolPolicy.decide(query, { global }).action;
      assert.equal(of({ ...edit('a.ts'), tool: 'fs_read', category: 'read' }), read);
      assert.equal(of(edit('a.ts')), write);
      assert.equal(of(command('ls')), execute);
      assert.equal(of({ tool: 'todo__add', category: 'agent', paths: [] }), 'allow');
    });
  }

  for (const path of [
    '.env',
    '.env.local',
    'app/.env',
    '.git/config',
    '.vscode/settings.json',
    '.cairn/agents/x.md',
    '.SSH/id',
  ]) {
    it(`asks for ${path} whatever is allowed, and offers no rule for it`, () => {
      const verdict = toolPolicy.decide(edit(path), {
        user: [{ tool: '*', action: 'allow' }],
        global: defaultRuleset('nothing'),
      });
      assert.equal(verdict.action, 'ask');
      assert.match(verdict.reason, /protected/);
      assert.deepEqual(offerRules(edit(path), verdict), []);
    });
  }

  it('keeps a denial of something protected', () => {
    assert.equal(decide(edit('.env'), { user: [{ tool: '*', action: 'deny' }] }).action, 'deny');
  });

  it('matches the first words of a plain command, and only whole words', () => {
    const session = [allowCommand('npm', 'test')];
    assert.equal(decide(command('npm test -- --watch'), { session }).action, 'allow');
    assert.equal(decide(command('  npm   test'), { session }).action, 'allow');
    assert.equal(decide(command('npm testify'), { session }).action, 'ask');
    assert.equal(decide(command('npm'), { session }).action, 'ask');
  });

  const tricks = [
    'npm test && rm -rf /',
    'npm test; rm x',
    'npm test | sh',
    'npm test $(rm x)',
    'npm test > .env',
    'npm test `rm x`',
    'npm test\nrm x',
    'npm test & rm x',
    'npm test <(rm x)',
    'npm test "$X"',
  ];
  for (const line of tricks) {
    it(`never allows by its first words: ${JSON.stringify(line)}`, () => {
      const verdict = decide(command(line), { session: [allowCommand('npm', 'test')] });
      assert.equal(verdict.action, 'ask');
      assert.deepEqual(offerRules(command(line), verdict), []);
    });
  }

  it('offers rules from the narrowest to the widest, and what it offers covers the call', () => {
    for (const query of [edit('src/a.ts'), command('npm test')]) {
      const verdict = decide(query);
      const offers = offerRules(query, verdict);
      assert.ok(offers.length > 0);
      for (const { rule } of offers) assert.equal(decide(query, { session: [rule] }).action, 'allow');
    }
    const [narrow] = offerRules(edit('src/a.ts'), decide(edit('src/a.ts')));
    assert.ok(narrow);
    assert.equal(decide(edit('src/b.ts'), { session: [narrow.rule] }).action, 'ask');
  });
});
