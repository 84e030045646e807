import { equivalents } from './equivalents';
import { chooseMutants } from './chooseMutants';
import { ModuleTests, type TestEnd } from './moduleTests';
import type { Mutant } from './mutant';
import type { MutatedModule } from './mutatedModule';
import type { TestOutcome } from './testRun';

/** Seconds that a run may take in addition to its tests. */
const START_S = 20;
const FIRST_RUN_MS = 10 * 60_000;
/** Generous, so that a busy machine does not make a mutant look caught. */
const TIMES_AS_LONG = 6;

/** The result of trying some of a module's mutants. */
export interface ModuleResult {
  readonly name: string;
  readonly tried: number;
  readonly caught: number;
  /** How many of the caught mutants made the process crash or hang. */
  readonly broken: number;
  readonly missed: readonly Mutant[];
  /** Mutants that nobody can notice; `equivalents.ts` says why. */
  readonly equivalent: readonly Mutant[];
}

export interface TryOptions {
  readonly count: number;
  readonly seed: number;
  /** Number of concurrent test processes. */
  readonly processes: number;
  readonly print: (line: string) => void;
}

/** Tries mutants of a module. Runs the tests without any first to learn which tests reach which mutants, then once per mutant. */
export async function tryMutants(module: MutatedModule, options: TryOptions): Promise<ModuleResult> {
  const mutants = chooseMutants(module, options.count, options.seed);
  const tests = await ModuleTests.bundle(module, mutants);
  const whole = await tests.run({ testTimeoutMs: 120_000 }, FIRST_RUN_MS);
  if (whole === 'died' || whole === 'hung') throw new Error(`The tests of ${module.name} ${whole} without a mutant.`);
  for (const name of whole.failed) options.print(`  failed without a mutant, and is left out: ${name}`);
  const meeting = new Meeting(whole, module.inPanel === true, mutants);
  const result = { caught: 0, broken: 0, equivalent: new Array<Mutant>(), missed: new Array<Mutant>() };
  const left = [...mutants];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [id, mutant] = next;
      const end = await tryOne(tests, id, meeting.testsFor(id));
      if (isCaught(end)) result.caught += 1;
      else if (isEquivalent(mutant)) result.equivalent.push(mutant);
      else {
        result.missed.push(mutant);
        // Printed at once, so that an interrupted run still reports something.
        options.print(`  missed: ${described(mutant)}`);
      }
      if (typeof end === 'string') result.broken += 1;
    }
  };
  await Promise.all(Array.from({ length: options.processes }, work));
  return { name: module.name, tried: mutants.size, ...result };
}

function described({ file, line, change }: Mutant): string {
  return `${file}:${line}  ${change}`;
}

interface TimedTest {
  readonly name: string;
  readonly seconds: number;
}

async function tryOne(tests: ModuleTests, mutant: number, chosen: readonly TimedTest[]): Promise<TestEnd> {
  if (chosen.length === 0) return { failed: [], tests: [] };
  const seconds = chosen.reduce((sum, test) => sum + test.seconds, 0);
  const slowest = Math.max(...chosen.map((test) => test.seconds));
  return tests.run(
    { mutant, tests: chosen.map(({ name }) => name), testTimeoutMs: 5000 + slowest * TIMES_AS_LONG * 1000 },
    (START_S + seconds * TIMES_AS_LONG) * 1000,
  );
}

function isCaught(end: TestEnd): boolean {
  return typeof end === 'string' || end.failed.length > 0;
}

function isEquivalent({ file, lineText, change }: Mutant): boolean {
  return equivalents.some((one) => one.file === file && one.line === lineText && one.change === change);
}

/** Which tests reach which mutants, fastest first. */
class Meeting {
  private readonly tests: TestOutcome['tests'];

  constructor(
    whole: TestOutcome,
    private readonly isInPage: boolean,
    private readonly mutants: ReadonlyMap<number, Mutant>,
  ) {
    this.tests = whole.tests.filter(({ name }) => !whole.failed.includes(name));
    this.tests.sort((a, b) => a.seconds - b.seconds);
  }

  testsFor(id: number): readonly TimedTest[] {
    if (this.isInPage) return this.tests;
    const meeting = this.tests.filter(({ met }) => met.includes(id));
    return this.isMetByLoading(id) ? this.tests : meeting;
  }

  /** Code outside functions is reached once for all tests, while the first of them loads the file. */
  private isMetByLoading(id: number): boolean {
    return this.mutants.get(id)?.isAtLoad === true;
  }
}
