import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha, { type Suite, type Test } from 'mocha';
import { MetMutants, testName } from '../mutants/metMutants';
import { panelWithMutant } from '../mutants/panelWithMutant';
import { type TestOutcome, type TestRun, testRunSchema } from '../mutants/testRun';
import { atEnd } from '../support/atEnd';

declare global {
  var isMutant: ((id: number) => boolean) | undefined;
}

/** `mutantTests REQUEST OUTCOME`: runs tests of bundles whose sources have switches, with one mutant active or none (`test/mutants/`). */
const [request = '', outcome = ''] = process.argv.slice(2);

class Silent extends Mocha.reporters.Base {}

/** Without a mutant, all tests run; with one, the first failure is enough. */
async function runTests(run: TestRun): Promise<TestOutcome> {
  const met = new MetMutants();
  globalThis.isMutant = (id) => {
    met.note(id);
    return id === run.mutant;
  };
  if (run.panel !== undefined) panelWithMutant(run.panel, run.mutant);
  const mocha = new Mocha({ timeout: run.testTimeoutMs, bail: run.mutant !== undefined, reporter: Silent });
  for (const bundle of run.bundles) mocha.addFile(pathToFileURL(path.resolve(bundle)).href);
  await mocha.loadFilesAsync();
  if (run.tests) leaveOnly(mocha.suite, new Set(run.tests));
  const result: TestOutcome = { failed: [], tests: [] };
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('suite', (suite) => met.begin(suite));
    runner.on('test', (test) => met.begin(test));
    runner.on('fail', (test) => result.failed.push(testName(test)));
    runner.on('test end', (test) => {
      result.tests.push({ name: testName(test), seconds: (test.duration ?? 0) / 1000, met: met.of(test) });
    });
  });
  return result;
}

function leaveOnly(suite: Suite, names: ReadonlySet<string>): void {
  suite.tests = suite.tests.filter((test: Test) => names.has(testName(test)));
  for (const inner of suite.suites) leaveOnly(inner, names);
}

const parsed = testRunSchema.parse(JSON.parse(readFileSync(request, 'utf8')));
writeFileSync(outcome, JSON.stringify(await runTests(parsed)));
await atEnd.run();
// Tests may leave timers or sockets behind. The outcome is written, so there is nothing to wait for.
process.exit(0);
