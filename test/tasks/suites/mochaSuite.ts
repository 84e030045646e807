import { bundleTests } from '../bundleTests';
import { findTests } from '../findTests';
import type { Slots } from '../slots';
import type { FileResult, SuiteResult } from '../suiteResult';
import { type QueuedFile, testQueue } from './testQueue';
import { type FileOutcome, WorkerProcess, type WorkerOptions } from './workerProcess';

export interface MochaSuiteOptions extends WorkerOptions {
  /** Also names the bundle's folder. */
  readonly name: string;
  /** Folders of `test/`. */
  readonly folders: readonly string[];
  /** How many processes share the files. Each starts once a slot is free. */
  readonly processes: number;
  readonly slots: Slots;
  readonly rank: number;
}

/** Bundles the tests of some folders and runs them in separate Node processes, which take files from a shared queue. */
export async function mochaSuite(options: MochaSuiteOptions): Promise<SuiteResult> {
  const files = findTests(...options.folders);
  if (files.length === 0) throw new Error(`there are no test files in ${options.folders.join(', ')}`);
  const run = new SuiteRun(options, testQueue(files, await bundleTests(options.name, files, 'esm')));
  await Promise.all(Array.from({ length: options.processes }, () => options.slots.use(options.rank, () => run.work())));
  return run.result();
}

class SuiteRun {
  private passed = 0;
  private failed = 0;
  private readonly failures: string[] = [];
  private readonly skipped: string[] = [];
  private readonly files: FileResult[] = [];

  constructor(
    private readonly options: MochaSuiteOptions,
    private readonly queue: QueuedFile[],
  ) {}

  /** Runs files until there are no more. */
  async work(): Promise<void> {
    let worker: WorkerProcess | undefined;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      if (!worker?.isAlive) worker = new WorkerProcess(this.options);
      const begun = performance.now();
      const outcome = await worker.run(next.bundle);
      this.count(next.file, outcome, (performance.now() - begun) / 1000);
    }
    const problem = await worker?.end();
    if (!problem) return;
    // A failure after the last test must not go unnoticed.
    this.failed += 1;
    console.log(`  ✗ ${problem}`);
    this.failures.push(problem);
  }

  result(): SuiteResult {
    const { passed, failed, failures, skipped, files } = this;
    return { name: this.options.name, passed, failed, failures, skipped, files };
  }

  private count(file: string, { report, output }: FileOutcome, seconds: number): void {
    this.passed += report?.passed ?? 0;
    this.failed += report?.failed ?? 1;
    const failures = report?.failures ?? [`The file did not come to its end.\n${output.trimEnd()}`];
    this.failures.push(...failures.map((failure) => `${file}\n${failure}`));
    this.skipped.push(...(report?.skipped ?? []));
    this.files.push({ file, failed: report?.failed ?? 1, seconds });
    // Printed at once, because other files run concurrently.
    const lines = report?.lines ?? ['  ✗ the file did not come to its end'];
    if (lines.length > 0) console.log([`  ${file} (${seconds.toFixed(1)} s)`, ...lines].join('\n'));
    if (output !== '') console.log(output.trimEnd());
  }
}
