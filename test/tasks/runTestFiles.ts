import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import { specReporter } from './specReporter';
import type { TestReport } from './testReport';

export interface RunOptions {
  readonly timeoutMs: number;
  readonly grep?: string | undefined;
  /** Called with each line as it is produced. */
  readonly print: (line: string) => void;
}

/** Runs test bundles with mocha in this process. Modules that bundles share are loaded once, also across calls. */
export async function runTestFiles(bundles: readonly string[], options: RunOptions): Promise<TestReport> {
  const { timeoutMs, grep, print } = options;
  let report: TestReport | undefined;
  const keep = (made: TestReport) => (report = made);
  const mocha = new Mocha({
    timeout: timeoutMs,
    reporter: specReporter(keep, print),
    forbidOnly: process.env['CI'] !== undefined,
    ...(grep !== undefined && { grep }),
  });
  for (const bundle of bundles) mocha.addFile(pathToFileURL(path.resolve(bundle)).href);
  await mocha.loadFilesAsync();
  await new Promise((resolve) => mocha.run(resolve));
  mocha.dispose();
  if (report === undefined) throw new Error('mocha came to its end without a report.');
  return report;
}
