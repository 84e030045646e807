import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OwnedProcess } from '../editor/ownedProcess';
import { repoRoot } from '../editor/repoRoot';
import { bundleTests } from '../tasks/bundleTests';
import { findTests } from '../tasks/findTests';
import { makePanel } from '../webview/support/bundlePanel';
import type { Mutant } from './mutant';
import type { MutatedModule } from './mutatedModule';
import { switchesPlugin } from './switchesPlugin';
import { type TestOutcome, testOutcomeSchema, type TestRun } from './testRun';

/** Includes the process id, so that two runs do not collide. */
const NAME = `mutants-${process.pid}`;
const ROOT = path.join(repoRoot, '.build', NAME);

/** How a test run ended; `died` and `hung` yield no outcome. */
export type TestEnd = TestOutcome | 'died' | 'hung';

/** The tests of one module, bundled once with all of its mutants. Each run activates one mutant or none. */
export class ModuleTests {
  private runs = 0;

  private constructor(
    private readonly bundles: readonly string[],
    private readonly panel: string | undefined,
  ) {}

  static async bundle(module: MutatedModule, mutants: ReadonlyMap<number, Mutant>): Promise<ModuleTests> {
    const plugin = switchesPlugin(mutants);
    const files = module.tests.flatMap((name) =>
      name.endsWith('.test.ts') ? [name] : findTests(path.relative('test', name)),
    );
    const bundles = await bundleTests(`${NAME}/tests`, files, 'esm', [plugin]);
    if (!module.inPanel) return new ModuleTests(bundles, undefined);
    const panel = path.join(ROOT, 'panel');
    mkdirSync(panel, { recursive: true });
    for (const [name, contents] of await makePanel([plugin])) writeFileSync(path.join(panel, name), contents);
    return new ModuleTests(bundles, panel);
  }

  /** Runs tests in a separate process, which is killed with its children when the time is up. */
  async run(what: Omit<TestRun, 'bundles' | 'panel'>, limitMs: number): Promise<TestEnd> {
    const name = path.join(ROOT, `run-${(this.runs += 1)}`);
    const [request, outcome] = [`${name}.json`, `${name}-outcome.json`];
    await writeFile(request, JSON.stringify({ ...what, bundles: this.bundlesOf(what.tests), panel: this.panel }));
    const args = ['test/tasks/run.mjs', 'mutantTests', request, outcome];
    const tests = new OwnedProcess(process.execPath, args, { cwd: repoRoot, stdio: 'ignore' });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    limit.signal.addEventListener('abort', () => tests.kill());
    await tests.exited;
    clearTimeout(timer);
    const text = await readFile(outcome, 'utf8').catch(() => undefined);
    await Promise.all([request, outcome].map((file) => rm(file, { force: true })));
    if (text !== undefined) return testOutcomeSchema.parse(JSON.parse(text));
    return limit.signal.aborted ? 'hung' : 'died';
  }

  /** Removes the bundles. */
  static async end(): Promise<void> {
    await rm(ROOT, { recursive: true, force: true });
  }

  /** In the order of the tests, so that the first one named runs first. */
  private bundlesOf(tests: readonly string[] | undefined): string[] {
    if (!tests) return [...this.bundles];
    const firstTest = (bundle: string): number => tests.findIndex((name) => name.includes(path.basename(bundle)));
    return this.bundles.filter((bundle) => firstTest(bundle) >= 0).sort((a, b) => firstTest(a) - firstTest(b));
  }
}
