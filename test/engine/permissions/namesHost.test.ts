import assert from 'node:assert/strict';
import { namesHost, toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import type { PermissionRule } from '../../../src/engine/permissions/permissionRule';

describe('A host in a rule', () => {
  const named = (...session: PermissionRule[]) =>
    namesHost({ tool: 'fetch_url', category: 'network', host: 'localhost' }, toolPolicy, { session });
  const rule = (pattern: string, action: 'allow' | 'deny' = 'allow'): PermissionRule => ({
    tool: 'category:network',
    argument: { kind: 'host', pattern },
    action,
  });

  it('is allowed by name, not by a rule for all hosts', () => {
    assert.equal(named(rule('localhost')), true);
    assert.equal(named(rule('local*')), true);
    assert.equal(named(rule('*')), false);
    assert.equal(named({ tool: '*', action: 'allow' }), false);
    assert.equal(named(rule('other.example')), false);
    assert.equal(named(rule('localhost'), rule('localhost', 'deny')), false);
    assert.equal(named(), false);
  });

  it('is the same host however it is written', () => {
    const denies = (pattern: string, host: string) =>
      toolPolicy.decide(
        { tool: 'fetch_url', category: 'network', host, paths: [] },
        { user: [rule(pattern, 'deny')], global: [{ tool: '*', action: 'allow' }] },
      ).action === 'deny';
    assert.ok(denies('evil.example', 'evil.example'));
    assert.ok(denies('evil.example', 'evil.example.'));
    assert.ok(denies('evil.example.', 'evil.example'));
    assert.ok(denies('Evil.Example', 'evil.example'));
    assert.ok(denies('*.böse.example', 'www.xn--bse-sna.example'));
    for (const written of [
      '[::ffff:93.184.216.34]',
      '[0:0:0:0:0:ffff:5db8:d822]',
      '0x5db8d822',
      '1572395042',
      '93.184.55330',
    ])
      assert.ok(denies('93.184.216.34', new URL(`http://${written}/`).hostname), written);
    assert.ok(denies('[::ffff:5db8:d822]', '93.184.216.34'));
    assert.ok(!denies('93.184.216.34', '[::ffff:5db8:d823]'));
    assert.ok(!denies('evil.example', 'notevil.example'));
    assert.ok(!denies('evil.example', 'www.evil.example'));
    const expression = { kind: 'regex', pattern: '^evil\\.example$' } as const;
    const asked = { tool: 'fetch_url', category: 'network', host: 'evil.example.', paths: [] } as const;
    const user: PermissionRule[] = [{ tool: 'fetch_url', argument: expression, action: 'deny' }];
    assert.equal(toolPolicy.decide(asked, { user }).action, 'deny');
  });
});
