import { repoRoot } from '../../editor/repoRoot';
import { OwnedProcess } from '../../editor/ownedProcess';
import { isTestReport, type TestReport } from '../testReport';

export interface WorkerOptions {
  readonly testTimeoutMs: number;
  /** The limit for one file, after which the process is killed. */
  readonly fileTimeoutMs: number;
  readonly grep?: string | undefined;
}

/** The outcome of one file: its report, undefined if there is none, and whatever else was printed. */
export interface FileOutcome {
  readonly report: TestReport | undefined;
  readonly output: string;
}

/** A process that runs test files, one at a time (`test/tasks/testWorker.ts`). */
export class WorkerProcess {
  private readonly process: OwnedProcess;
  private output = '';
  private readonly ready: Promise<unknown>;

  constructor(private readonly options: WorkerOptions) {
    const args = ['test/tasks/run.mjs', 'testWorker', '--timeout', String(options.testTimeoutMs)];
    if (options.grep !== undefined) args.push('--grep', options.grep);
    this.process = new OwnedProcess(process.execPath, args, {
      cwd: repoRoot,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const collect = (chunk: Buffer): void => void (this.output += chunk.toString());
    this.process.child.stdout?.on('data', collect);
    this.process.child.stderr?.on('data', collect);
    this.ready = this.answer();
  }

  get isAlive(): boolean {
    return this.process.isAlive;
  }

  async run(bundle: string): Promise<FileOutcome> {
    await this.ready;
    const timer = setTimeout(() => {
      this.output += `The file took longer than ${this.options.fileTimeoutMs / 1000} s, and its process was ended.\n`;
      this.process.kill();
    }, this.options.fileTimeoutMs);
    const answer = this.answer();
    if (this.process.child.connected) this.process.child.send(bundle);
    const report = await answer;
    clearTimeout(timer);
    if (!isTestReport(report)) {
      this.output += `The process of the tests ended (${String(await this.process.exited)}) before the file's end.\n`;
      return { report: undefined, output: this.taken() };
    }
    return { report, output: this.taken() };
  }

  /** Lets the process end. Resolves to what went wrong, such as an exit code. */
  async end(): Promise<string> {
    if (!this.isAlive) return '';
    const timer = setTimeout(() => this.process.kill(), 60_000);
    // Node does not report the end of a process whose channel was closed from this side.
    if (this.process.child.connected) this.process.child.send('end');
    const code = await this.process.exited;
    clearTimeout(timer);
    return code === 0 ? '' : `${this.taken()}The process of the tests ended with ${String(code)} after its last file.`;
  }

  /** The next message; undefined if the process ends without one. */
  private answer(): Promise<unknown> {
    return Promise.race([
      new Promise((resolve) => this.process.child.once('message', resolve)),
      this.process.exited.then(() => undefined),
    ]);
  }

  private taken(): string {
    const { output } = this;
    this.output = '';
    return output;
  }
}
