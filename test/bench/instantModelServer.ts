import { once } from 'node:events';
import { cleanEnvironment } from '../editor/cleanEnvironment';
import { OwnedProcess } from '../editor/ownedProcess';
import type { ModelReport } from './programs/modelReport';

/** The instant model in its own process, so that its work does not count toward the measured program. */
export class InstantModelServer {
  private constructor(
    private readonly process: OwnedProcess,
    private readonly address: string,
  ) {}

  static async start(program: string): Promise<InstantModelServer> {
    const process = new OwnedProcess(globalThis.process.execPath, [program], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: cleanEnvironment(),
    });
    const { stdout } = process.child;
    if (stdout === null) throw new Error('The instant model has no output.');
    const ended = process.exited.then((code) => {
      throw new Error(`The instant model ended with exit code ${String(code)}.`);
    });
    const first: unknown[] = await Promise.race([once(stdout, 'data'), ended]);
    // From here on, failing requests reveal that the process has ended.
    ended.catch(() => undefined);
    return new InstantModelServer(process, String(first[0]).trim());
  }

  /** Returns the base URL for one run with `turns` tool turns. */
  url(run: string, turns: number): string {
    return `${this.address}/run/${run}/${turns}/v1`;
  }

  async report(run: string): Promise<ModelReport> {
    const report: unknown = await (await fetch(`${this.address}/run/${run}`)).json();
    if (!isReport(report)) throw new Error(`Not a report of the instant model: ${JSON.stringify(report)}`);
    return report;
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }
}

function isReport(value: unknown): value is ModelReport {
  return typeof value === 'object' && value !== null && 'requests' in value && 'firstBytes' in value;
}
