import { rm } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from '../../editor/repoRoot';
import { runCommand } from '../../editor/runCommand';
import { bundleTests } from '../bundleTests';
import { findTests } from '../findTests';
import type { SuiteResult } from '../suiteResult';
import { readTestReport } from '../testReport';

export interface MochaSuiteOptions {
  readonly name: string;
  /** Of the bundle's folder and the report. */
  readonly id: string;
  /** Folders of `test/`. */
  readonly folders: readonly string[];
  readonly testTimeoutMs: number;
  /** Of the whole suite. */
  readonly timeoutMs: number;
  readonly grep?: string | undefined;
}

/** Bundles the tests of some folders and runs them in a Node process of their own. */
export async function mochaSuite(options: MochaSuiteOptions): Promise<SuiteResult> {
  const files = findTests(...options.folders);
  if (files.length === 0) {
    console.log(`  ✗ there are no test files in ${options.folders.map((folder) => `test/${folder}`).join(', ')}`);
    return { name: options.name, passed: 0, failed: 1 };
  }
  const bundles = await bundleTests(options.id, files, 'esm');
  const report = path.join(repoRoot, '.build', 'reports', `${options.id}.json`);
  await rm(report, { force: true });
  const args = ['test/tasks/run.mjs', 'mocha', '--report', report, '--timeout', String(options.testTimeoutMs)];
  if (options.grep !== undefined) args.push('--grep', options.grep);
  const result = await runCommand(process.execPath, [...args, ...bundles], {
    cwd: repoRoot,
    timeoutMs: options.timeoutMs,
    echo: true,
  });
  const counts = readTestReport(report);
  if (counts === undefined) {
    console.log(
      `${result.output.includes('was ended:') ? '  ✗ the suite took too long\n' : ''}  ✗ the tests ended with exit code ${result.code} before their end`,
    );
    return { name: options.name, passed: 0, failed: 1 };
  }
  // A clean report and a bad exit: something broke after the last test, and must not go unseen.
  const broken = counts.failed === 0 && result.code !== 0 ? 1 : 0;
  if (broken) console.log(`  ✗ all tests passed, but the process ended with exit code ${result.code}`);
  return { name: options.name, passed: counts.passed, failed: counts.failed + broken };
}
