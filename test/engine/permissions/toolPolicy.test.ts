import assert from 'node:assert/strict';
import { offerRules } from '../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../src/engine/permissions/modes';
import type { PermissionRule, ResolvedQuery, Rulesets } from '../../../src/engine/permissions/permissionRule';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { command, commandRule, edit } from './queries';

const allowCommand = (...words: string[]) => commandRule(words.join(' '));

function decide(query: ResolvedQuery, rulesets: Rulesets = {}) {
  return toolPolicy.decide(query, { global: defaultRuleset('edits-and-commands'), ...rulesets });
}

describe('The tool policy', () => {
  it('asks when no rule covers a call', () => {
    assert.equal(toolPolicy.decide(edit('a.ts'), {}).action, 'ask');
  });

  it('lets the last match of a scope win unless a priority says otherwise', () => {
    const allow: PermissionRule = { tool: 'fs_edit', action: 'allow' };
    const deny: PermissionRule = { tool: 'fs_*', action: 'deny' };
    assert.equal(decide(edit('a.ts'), { session: [allow, deny] }).action, 'deny');
    assert.equal(decide(edit('a.ts'), { session: [deny, allow] }).action, 'allow');
    assert.equal(decide(edit('a.ts'), { session: [{ ...allow, priority: 1 }, deny] }).action, 'allow');
  });

  it('denies a line if one part is denied, even if other parts are protected or ask', () => {
    const rules = { user: [commandRule('npm publish', 'deny')] };
    const lines = ['touch .git/hooks/x', 'npm other', 'npm publish'];
    const orders = [lines, [...lines].reverse(), ['npm publish', 'touch .git/hooks/x']];
    for (const line of orders) assert.equal(decide(command(line.join(' && ')), rules).action, 'deny', line.join());
    assert.match(decide(command('npm other && touch .git/hooks/x')).reason, /\.git/);
  });

  it('allows with harmless arguments only what a rule names down to the last subcommand', () => {
    const covers = (words: string, line: string) => {
      const argument = { kind: 'command', words: words.split(' '), rest: 'harmless' } as const;
      return decide(command(line), { user: [{ tool: 'execute_command', argument, action: 'allow' }] }).action;
    };
    assert.equal(covers('npm run build', 'npm run build'), 'allow');
    assert.equal(covers('npm run build', 'npm run build ../other'), 'ask');
    assert.equal(covers('npm run', 'npm run build'), 'ask');
    assert.equal(covers('npm', 'npm run build'), 'ask');
  });

  it('names the first part of a line that asks', () => {
    assert.match(decide(command('npm first && npm second')).reason, /npm first/);
    const { reason } = decide(command('npm first && npm second'), { user: [commandRule('npm second', 'ask')] });
    assert.match(reason, /npm second/, 'what a rule asks about says more than what the mode does');
  });

  it('checks the scopes in order: user, session, workspace, agent, global', () => {
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
    ['review-after', 'allow', 'allow', 'ask'],
    ['commands', 'allow', 'allow', 'ask'],
    ['nothing', 'allow', 'allow', 'allow'],
  ] as const;
  for (const [mode, read, write, execute] of modes) {
    it(`in the mode “${mode}”: read ${read}, write ${write}, execute ${execute}, to-dos never ask`, () => {
      const global = defaultRuleset(mode);
      const of = (query: ResolvedQuery) => toolPolicy.decide(query, { global }).action;
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
    it(`asks about ${path} whatever is allowed, and offers no rule for it`, () => {
      const rulesets: Rulesets = { user: [{ tool: '*', action: 'allow' }], global: defaultRuleset('nothing') };
      const verdict = toolPolicy.decide(edit(path), rulesets);
      assert.equal(verdict.action, 'ask');
      assert.match(verdict.reason, /protected/);
      assert.deepEqual(offerRules(edit(path), rulesets, toolPolicy), []);
    });
  }

  it('keeps a denial of a protected path', () => {
    assert.equal(decide(edit('.env'), { user: [{ tool: '*', action: 'deny' }] }).action, 'deny');
  });

  it('matches the first words of a plain command, and only whole words', () => {
    const session = [allowCommand('npm', 'test')];
    assert.equal(decide(command('npm test -- --watch'), { session }).action, 'allow');
    assert.equal(decide(command('  npm   test'), { session }).action, 'allow');
    assert.equal(decide(command('npm testify'), { session }).action, 'ask');
    assert.equal(decide(command('npm'), { session }).action, 'ask');
  });

  it('reads allow rules with a regular expression narrowly, and deny rules broadly', () => {
    const rule = (pattern: string, action: PermissionRule['action']): PermissionRule => ({
      tool: '*',
      argument: { kind: 'regex', pattern },
      action,
    });
    assert.equal(decide(command('npm test x'), { session: [rule('npm test', 'allow')] }).action, 'ask');
    assert.equal(decide(command('npm test x'), { session: [rule('npm test .*', 'allow')] }).action, 'allow');
    assert.equal(decide(command('npm test; ls'), { session: [rule('npm test.*', 'allow')] }).action, 'ask');
    assert.equal(decide(command('cd x && npm test'), { session: [rule('npm', 'deny')] }).action, 'deny');
    const split = 'git push "a\nb" --force';
    assert.equal(decide(command(split), { session: [rule('git.*--force', 'deny')] }).action, 'deny');
    assert.equal(decide(command(split), { session: [rule('git (?!.*--force)[^;]*', 'allow')] }).action, 'ask');
    assert.equal(decide(edit('src/a.ts'), { session: [rule('src/.*', 'allow')] }).action, 'allow');
    assert.equal(decide(edit('lib/src/a.ts'), { session: [rule('src/.*', 'allow')] }).action, 'ask');
    assert.equal(decide(edit('lib/src/a.ts'), { session: [rule('src/', 'deny')] }).action, 'deny');
  });

  it('matches expressions that would take years in bounded time', () => {
    const rule = (pattern: string, action: PermissionRule['action']) => [
      { tool: '*', argument: { kind: 'regex', pattern }, action } as const,
    ];
    const session: PermissionRule[] = [{ tool: '*', action: 'allow' }];
    const line = `${'a'.repeat(40)}!`;
    for (const pattern of ['(a+)+$', '^(a|a)*$', '^(?:a?){40}a{41}$']) {
      assert.equal(decide(command(line), { user: rule(pattern, 'deny'), session }).action, 'allow', pattern);
      assert.equal(decide(edit(line), { user: rule(pattern, 'ask'), session }).action, 'allow', pattern);
      assert.equal(decide(command(line), { user: rule(pattern, 'allow') }).action, 'ask', pattern);
    }
  });

  it('takes an expression that cannot be tried for a match where it asks or denies, and says so', () => {
    const session: PermissionRule[] = [{ tool: '*', action: 'allow' }];
    for (const pattern of ['(a)\\1', '(?:x{1000}){1000}'])
      for (const action of ['ask', 'deny'] as const) {
        const user: PermissionRule[] = [{ tool: '*', argument: { kind: 'regex', pattern }, action }];
        const verdict = decide(edit('b.ts'), { user, session });
        assert.equal(verdict.action, action);
        assert.match(verdict.reason, /could not be tried.*(refers back|too large).*The user rule “/);
        assert.ok(verdict.reason.includes(`/${pattern}/`), verdict.reason);
      }
    const user: PermissionRule[] = [{ tool: '*', argument: { kind: 'regex', pattern: '(b)\\1' }, action: 'allow' }];
    assert.equal(decide(edit('bb'), { user }).action, 'ask');
  });

  it('asks about a command with a shell-only word unless its start cannot match the expression', () => {
    const session: PermissionRule[] = [{ tool: '*', action: 'allow' }];
    const judged = (pattern: string, line: string) => {
      const user: PermissionRule[] = [{ tool: '*', argument: { kind: 'regex', pattern }, action: 'deny' }];
      return decide(command(line), { user, session }).action;
    };
    for (const line of ['git $X', 'git -C . $X', 'git pu$X', '$X push', 'git push* x']) {
      assert.equal(judged('^git push --force$', line), 'ask', line);
    }
    for (const line of ['ls $X', 'gitk $X', 'git log $X', 'git push origin $X']) {
      assert.equal(judged('^git push --force$', line), 'allow', line);
    }
    assert.equal(judged('^git pushy?', 'git push $X'), 'deny');
    assert.equal(judged('^git pushy? now', 'git push $X'), 'ask');
    assert.equal(judged('^ls|^git', 'echo $X'), 'ask');
    assert.equal(judged('^a\\.sh now', 'a.sh $X'), 'ask');
    assert.equal(judged('^a\\.sh now', 'abash $X'), 'allow');
  });

  it('asks only where a deny expression may or may not match a command', () => {
    const regex: PermissionRule = { tool: '*', argument: { kind: 'regex', pattern: 'publish' }, action: 'deny' };
    const session: PermissionRule[] = [{ tool: '*', action: 'allow' }];
    assert.equal(decide(command('npm publish'), { user: [regex], session }).action, 'deny');
    assert.equal(decide(command('npm test'), { user: [regex], session }).action, 'allow');
    const { action, protected: isProtected } = decide(command('$X'), { user: [regex], session });
    assert.deepEqual([action, isProtected], ['ask', true]);
    for (const line of ['npm $X', 'npm pu*', 'sudo npm --tag x "$(cat words)"', 'cd x && npm run $X']) {
      assert.equal(decide(command(line), { user: [regex], session }).action, 'ask', line);
    }
    for (const kind of ['host', 'path', 'subject'] as const) {
      const other: PermissionRule = { tool: '*', argument: { kind, pattern: 'publish' }, action: 'deny' };
      assert.equal(decide(command('$X'), { user: [other], session }).action, 'allow', `${kind} speaks of no command`);
    }
  });

  it('reports whether more than a rule asks, and whether it is the mode’s usual question', () => {
    const facts = ({ action, protected: isProtected, usual }: ReturnType<typeof decide>) => [
      action,
      isProtected,
      usual === true,
    ];
    assert.deepEqual(facts(decide(command('npm test'))), ['ask', false, true]);
    const own = { user: [commandRule('npm test', 'ask')] };
    assert.deepEqual(facts(decide(command('npm test'), own)), ['ask', false, false]);
    assert.deepEqual(facts(decide(command('npm $X'), own)), ['ask', true, false], 'it may be what the rule names');
    assert.deepEqual(facts(decide(edit('.env'))), ['ask', true, false]);
  });

  it('denies a call if one of several paths is denied', () => {
    const two: ResolvedQuery = { ...edit('a.ts'), paths: [...edit('a.ts').paths, ...edit('keys/b').paths] };
    const deny: PermissionRule = { tool: '*', argument: { kind: 'path', pattern: 'keys/*' }, action: 'deny' };
    const allow: PermissionRule = { tool: '*', argument: { kind: 'path', pattern: 'a.ts' }, action: 'allow' };
    assert.equal(decide(two, { session: [deny] }).action, 'deny');
    assert.equal(decide(two, { session: [allow] }).action, 'ask');
  });
});

describe('The “always” offers', () => {
  const global = defaultRuleset('edits-and-commands');
  const labels = (query: ResolvedQuery, rulesets: Rulesets = { global }) =>
    offerRules(query, rulesets, toolPolicy).map(({ label }) => label);

  it('go from narrowest to widest, for the session, the workspace and the user', () => {
    assert.deepEqual(labels(command('git commit -m "a b"')), [
      '“git commit” with harmless options in this session',
      '“git commit” with harmless options in this workspace',
      '“git commit” with harmless options in every workspace',
    ]);
    assert.deepEqual(labels(edit('src/a.ts')).slice(0, 3), [
      'edits of src/a.ts in this session',
      'all edits in this session',
      'edits of src/a.ts in this workspace',
    ]);
    assert.match(labels(command('npm run build')).join(), /“npm run build” with harmless options in/);
    assert.match(labels(command('npm run build -- x')).join(), /exactly “npm run build -- x” in/);
    assert.match(labels(command('mytool --deploy')).join(), /exactly “mytool --deploy” in/);
  });

  it('contain one rule for each part that is not yet allowed', () => {
    const rulesets = { session: [allowCommand('ls')], global };
    const [offer] = offerRules(command('ls && npm test | wc -l > out.txt'), rulesets, toolPolicy);
    assert.equal(
      offer?.label,
      '“npm test” with harmless options and “wc” with harmless options and edits of out.txt in this session',
    );
    assert.equal(offer.rules.length, 3);
  });

  it('widen all parts of a line together, as far as each can', () => {
    assert.deepEqual(labels(command('npm test > out.txt')).slice(0, 2), [
      '“npm test” with harmless options and edits of out.txt in this session',
      '“npm test” with harmless options and all edits in this session',
    ]);
  });

  it('name the file that is read, or just the tool for the whole workspace or several files', () => {
    const read = (...names: string[]): ResolvedQuery => ({
      ...{ tool: 'fs_read', category: 'read' },
      paths: names.flatMap((name) => edit(name).paths),
    });
    const global = defaultRuleset('everything');
    const inSession = (query: ResolvedQuery) => labels(query, { global }).filter((one) => one.endsWith('this session'));
    assert.deepEqual(inSession(read('src/a.ts')), ['fs_read of src/a.ts in this session', 'fs_read in this session']);
    for (const several of [read('.'), read('a.ts', 'b.ts'), read()])
      assert.deepEqual(inSession(several), ['fs_read in this session']);
    assert.equal(labels({ ...read('a.ts'), category: 'agent', tool: 'acme' }, {})[0], 'acme in this session');
  });

  it('name one-word commands too', () => {
    assert.equal(labels(command('mytool'))[0], 'exactly “mytool” in this session');
    assert.equal(labels(command('pwd'), {})[0], '“pwd” with harmless options in this session');
  });

  it('let the same call run without asking, and no other', () => {
    for (const query of [edit('src/a.ts'), command('npm test'), command('ls && timeout 5 npm test > x')]) {
      const offers = offerRules(query, { global }, toolPolicy);
      assert.ok(offers.length > 0);
      for (const { scope, rules } of offers) assert.equal(decide(query, { [scope]: rules }).action, 'allow');
    }
    const [narrow] = offerRules(edit('src/a.ts'), { global }, toolPolicy);
    assert.ok(narrow);
    assert.equal(decide(edit('src/b.ts'), { session: narrow.rules }).action, 'ask');
  });

  it('show the whole rule on one line, or are not made', () => {
    const long = 'x'.repeat(300);
    for (const line of [`git commit -m "a\nb"`, `git commit -m ${long}`])
      assert.equal(labels(command(line))[0], '“git commit” with harmless options in this session');
    for (const line of [`git ${long}`, 'mytool "a\nb"']) assert.deepEqual(labels(command(line)), []);
  });

  it('name the host of an address, and nothing that would match more', () => {
    const fetch = (host: string): ResolvedQuery => ({ tool: 'fetch_url', category: 'network', host, paths: [] });
    assert.deepEqual(labels(fetch('example.com')).slice(0, 2), [
      'fetch_url of example.com in this session',
      'fetch_url in this session',
    ]);
    assert.deepEqual(labels(fetch('*')), []);
    assert.deepEqual(labels(fetch('')), []);
    assert.deepEqual(labels(edit('a*')).slice(0, 1), ['all edits in this session']);
  });

  it('leave out scopes in which the rule would have no effect', () => {
    const user: PermissionRule[] = [{ tool: 'execute_command', action: 'ask' }];
    assert.deepEqual(labels(command('npm test'), { user, global }), [
      '“npm test” with harmless options in every workspace',
    ]);
    assert.deepEqual(labels(command('npm test'), { user: [{ tool: '*', action: 'ask', priority: 9 }], global }), []);
  });
});
