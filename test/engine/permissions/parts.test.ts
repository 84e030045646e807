import assert from 'node:assert/strict';
import { Deferred, Mutex } from '../../../src/base/async';
import { hideSecrets } from '../../../src/engine/permissions/auditLog';
import { jsonLine } from '../../../src/engine/permissions/jsonLine';
import type { PermissionRule } from '../../../src/engine/permissions/permissionRule';
import { deniedOutright } from '../../../src/engine/permissions/toolPolicy';
import { HIDDEN_MARK } from '../../../src/engine/secrets/secretScan';

describe('The line of a JSON value', () => {
  const text = '{\n  "a": 1,\n  "b": [\n    {"c": "x\\"y"},\n    {"d": null}\n  ]\n}\n';
  const cases = [
    [text, [], 1],
    [text, ['a'], 2],
    [text, ['b'], 3],
    [text, ['b', 0, 'c'], 4],
    [text, ['b', 1], 5],
    [text, ['b', 1, 'gone', 'deeper'], 5],
    ['{\n"a": [1,\n2,\n]}', [], 4],
    ['{\n"a" 1}', [], 2],
    ['[1]\nx', [], 2],
    ['\n\n', [], 3],
    ['['.repeat(5000), [], 1],
  ] as const;
  for (const [json, path, line] of cases)
    it(`is ${line} for ${path.join('.') || 'the whole'} in ${JSON.stringify(json.slice(0, 40))}`, () =>
      assert.equal(jsonLine(json, path), line));
});

describe('Redacting secrets in stored lines', () => {
  const secret = 'Ab1cd2Ef3gh4';
  for (const line of [
    `curl -H "Authorization: Bearer ${secret}"`,
    `export OPENAI_API_KEY=sk-${secret}`,
    `mysql --password=${secret}`,
    `mysql --password ${secret}`,
    `git clone https://me:${secret}@example.com/x.git`,
    `DB_PASSWORD="${secret}" run`,
    `login ghp_${secret}`,
    `{"token": "${secret}"}`,
  ])
    it(`masks the secret in: ${line}`, () => assert.doesNotMatch(hideSecrets(line), new RegExp(secret)));

  it('masks secrets anywhere in a long text with many beginnings of secrets', () => {
    for (const begin of ['eyJ-', 'token', 'token ', 'token-', 'eyJa.', 'token"', 'a=', ' ']) {
      const text = begin.repeat(100_000 / begin.length);
      assert.equal(hideSecrets(text), text);
      assert.doesNotMatch(hideSecrets(`${text} x_token=${secret} y-eyJhbGciOiJI.${secret}.z`), new RegExp(secret));
    }
  });

  it('masks secrets after names of several parts', () => {
    for (const name of ['my_token_2', 'api-key', 'x-api-keys', 'ACCESS_KEY', 'access-key', 'user-pwd', '"credential"'])
      assert.equal(hideSecrets(`${name}: ${secret}!`), `${name}: ${HIDDEN_MARK}`);
  });

  it('leaves everything else unchanged', () => {
    for (const line of ['npm test -- --watch', 'Read src/tokens.ts 1–40', 'git commit -m "basic sketch"'])
      assert.equal(hideSecrets(line), line);
  });
});

describe('A write tool', () => {
  const rule = (action: PermissionRule['action'], more: Partial<PermissionRule> = {}): PermissionRule => ({
    tool: 'category:write',
    action,
    ...more,
  });
  const argument = { kind: 'path', pattern: 'a' } as const;
  const tool = { name: 'fs_write', category: 'write' } as const;
  const cases: readonly (readonly [string, boolean, PermissionRule[][]])[] = [
    ['without rules', false, [[]]],
    ['by a rule for its category', true, [[rule('deny')]]],
    ['by a rule for its name', true, [[rule('deny', { tool: 'fs_*' })]]],
    ['by a rule for another category', false, [[rule('deny', { tool: 'category:read' })]]],
    ['by a rule for some arguments', false, [[rule('deny', { argument })]]],
    ['if a later rule allows some arguments', false, [[rule('deny'), rule('allow', { argument })]]],
    ['if a later rule asks', false, [[rule('deny'), rule('ask')]]],
    ['by a rule in a later scope', true, [[rule('deny', { argument })], [rule('deny')]]],
    ['if an earlier scope asks', false, [[rule('ask')], [rule('deny')]]],
  ];
  for (const [what, denied, scopes] of cases)
    it(`${denied ? 'is' : 'is not'} denied outright ${what}`, () => assert.equal(deniedOutright(tool, scopes), denied));
});

describe('Turns', () => {
  it('run one after the other, even when one fails or is abandoned', async () => {
    const turns = new Mutex();
    const { signal } = new AbortController();
    const cancel = new AbortController();
    const told: string[] = [];
    const first = new Deferred<void>();
    const one = turns.take(async () => {
      told.push('one begins');
      await first.promise;
      told.push('one ends');
      throw new Error('one fails');
    }, signal);
    const two = turns.take(() => Promise.resolve(told.push('two')), cancel.signal);
    const three = turns.take(() => Promise.resolve(told.push('three')), signal);
    const failed = assert.rejects(one, /one fails/);
    cancel.abort();
    await assert.rejects(two, { name: 'AbortError' });
    first.resolve();
    await Promise.all([failed, three]);
    assert.deepEqual(told, ['one begins', 'one ends', 'three']);
  });
});
