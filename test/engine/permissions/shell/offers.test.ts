import assert from 'node:assert/strict';
import { offerRules } from '../../../../src/engine/permissions/approvalHandler';
import { defaultRuleset } from '../../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

describe('“Always”', () => {
  it('offers nothing for a program that may run what the line gives it to read', () => {
    for (const line of ['osh <<< a', 'echo a | osh', 'osh < a', 'psql db <<E\na\nE', 'exec < a; osh'])
      assert.deepEqual(offerRules(command(line), { global: defaultRuleset('commands') }, toolPolicy), [], line);
  });

  /** A call, calls that its rule also allows, and calls that it does not allow. */
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['make build', [], ['make build deploy']],
    ['make build lint', ['make build lint'], ['make build', 'make build lint deploy']],
    ['make -j4', ['make -j4'], ['make -j4 deploy']],
    ['npm run -s build', ['npm run -s build'], ['npm run -s deploy', 'npm run -s']],
    [
      'osh a',
      ['osh a', 'osh a < /dev/null'],
      ['osh a <<< b', 'echo b | osh a', 'osh a < b', '{ osh a; } <<< b', 'exec < b; osh a', 'osh a <<E\nb\nE'],
    ],
  ];
  for (const [line, allowed, asked] of cases)
    it(`offers a rule for ${line} that covers no other target, script, or input`, () => {
      const [offer] = offerRules(command(line), { global: defaultRuleset('commands') }, toolPolicy);
      assert.ok(offer);
      const rulesets = { session: offer.rules, global: defaultRuleset('commands') };
      const actionOf = (one: string) => toolPolicy.decide(command(one), rulesets).action;
      for (const one of [line, ...allowed]) assert.equal(actionOf(one), 'allow', one);
      for (const one of asked) assert.equal(actionOf(one), 'ask', one);
    });
});
