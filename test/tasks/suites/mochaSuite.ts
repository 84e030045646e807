import { statSync } from 'node:fs';
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
  /** How many processes share the files; 1 without it. What the first one says is shown as it comes, the others' at their end. */
  readonly processes?: number;
}

/** Bundles the tests of some folders and runs them in Node processes of their own. */
export async function mochaSuite(options: MochaSuiteOptions): Promise<SuiteResult> {
  const files = findTests(...options.folders);
  if (files.length === 0) {
    console.log(`  ✗ there are no test files in ${options.folders.map((folder) => `test/${folder}`).join(', ')}`);
    return { name: options.name, passed: 0, failed: 1 };
  }
  const bundles = await bundleTests(options.id, files, 'esm');
  const shares = shareOut(files, bundles, options.processes ?? 1);
  const results = await Promise.all(shares.map((share, index) => runShare(options, share, index)));
  const sum = (count: (result: ShareResult) => number): number =>
    results.reduce((all, result) => all + count(result), 0);
  return { name: options.name, passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
}

interface Share {
  size: number;
  bundles: string[];
}

const newShare = (): Share => ({ size: 0, bundles: [] });

/** The bundles in so many parts of about the same size, each in the order of the names. */
function shareOut(files: readonly string[], bundles: readonly string[], parts: number): string[][] {
  const shares = Array.from({ length: parts }, () => newShare());
  const sized = bundles.map((bundle, index) => ({
    bundle,
    size: statSync(path.join(repoRoot, files[index] ?? '')).size,
  }));
  for (const { bundle, size } of sized.sort((a, b) => b.size - a.size)) {
    const least = shares.reduce((a, b) => (b.size < a.size ? b : a));
    least.size += size;
    least.bundles.push(bundle);
  }
  return shares.map((share) => share.bundles.sort()).filter((share) => share.length > 0);
}

type ShareResult = Pick<SuiteResult, 'passed' | 'failed'>;

async function runShare(options: MochaSuiteOptions, bundles: readonly string[], index: number): Promise<ShareResult> {
  const report = path.join(repoRoot, '.build', 'reports', `${options.id}-${index + 1}.json`);
  await rm(report, { force: true });
  const args = ['test/tasks/run.mjs', 'mocha', '--report', report, '--timeout', String(options.testTimeoutMs)];
  if (options.grep !== undefined) args.push('--grep', options.grep);
  const result = await runCommand(process.execPath, [...args, ...bundles], {
    cwd: repoRoot,
    timeoutMs: options.timeoutMs,
    echo: index === 0,
  });
  if (index > 0) process.stdout.write(result.output);
  const counts = readTestReport(report);
  if (counts === undefined) {
    console.log(
      `${result.output.includes('was ended:') ? '  ✗ the suite took too long\n' : ''}  ✗ the tests ended with exit code ${result.code} before their end`,
    );
    return { passed: 0, failed: 1 };
  }
  // A clean report and a bad exit: something broke after the last test, and must not go unseen.
  const broken = counts.failed === 0 && result.code !== 0 ? 1 : 0;
  if (broken) console.log(`  ✗ all tests passed, but the process ended with exit code ${result.code}`);
  return { passed: counts.passed, failed: counts.failed + broken };
}
