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

describe('The MCP conformance suite', function () {
  this.timeout(180_000);
  let outcomes: ReadonlyMap<string, ScenarioOutcome>;

  before(async () => {
    outcomes = await playAllScenarios();
  });

  const outcomeOf = (name: string) => outcomes.get(name) ?? assert.fail(`There is no scenario ${name}.`);

  it('has no client scenario that is missing in our list', () => {
    const listed = [...scenarios.passed, ...scenarios.given_up, ...Object.keys(scenarios.failed)];
    assert.deepEqual([...outcomes.keys()].sort(), listed.sort());
  });

  for (const name of scenarios.passed) {
    it(`passes the scenario: ${name}`, () => assert.deepEqual(outcomeOf(name), { failed: [], gaveUp: '' }));
  }

  for (const name of scenarios.given_up) {
    it(`passes by giving up: ${name}`, () => {
      const { failed, gaveUp } = outcomeOf(name);
      assert.deepEqual(failed, []);
      assert.notEqual(gaveUp, '');
    });
  }

  for (const [name, why] of Object.entries(scenarios.failed)) {
    it(`fails as documented: ${name}`, () =>
      assert.notDeepEqual(outcomeOf(name).failed, [], `It passes now, although: ${why}`));
  }
});
