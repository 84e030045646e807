import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { repoRoot } from '../../editor/repoRoot';
import { playAllScenarios, type ScenarioOutcome } from '../../support/conformance/conformanceSuite';

const written = readFileSync(join(repoRoot, 'test/support/conformance/scenarios.yaml'), 'utf8');
const scenarios = z
  .object({ passed: z.array(z.string()), given_up: z.array(z.string()), failed: z.record(z.string(), z.string()) })
  .parse(parse(written));

describe('the conformance suite of the protocol', function () {
  this.timeout(180_000);
  let outcomes: ReadonlyMap<string, ScenarioOutcome>;

  before(async () => {
    outcomes = await playAllScenarios();
  });

  const outcomeOf = (name: string) => outcomes.get(name) ?? assert.fail(`There is no scenario ${name}.`);

  it('has no scenario for clients that is not in our list', () => {
    const listed = [...scenarios.passed, ...scenarios.given_up, ...Object.keys(scenarios.failed)];
    assert.deepEqual([...outcomes.keys()].sort(), listed.sort());
  });

  for (const name of scenarios.passed) {
    it(`is passed: ${name}`, () => assert.deepEqual(outcomeOf(name), { failed: [], gaveUp: '' }));
  }

  for (const name of scenarios.given_up) {
    it(`is passed by going no further: ${name}`, () => {
      const { failed, gaveUp } = outcomeOf(name);
      assert.deepEqual(failed, []);
      assert.notEqual(gaveUp, '');
    });
  }

  for (const [name, why] of Object.entries(scenarios.failed)) {
    it(`is not passed, as it says why: ${name}`, () =>
      assert.notDeepEqual(outcomeOf(name).failed, [], `It passes now, although: ${why}`));
  }
});
