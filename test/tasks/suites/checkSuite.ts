import { repoRoot } from '../../editor/repoRoot';
import { runCommand } from '../../editor/runCommand';
import type { SuiteResult } from '../suiteResult';

/** Node commands that must all exit with 0. */
export interface Check {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
}

/** The compiler in native code, which needs a tenth of the time. typescript-eslint still wants the one before it. */
const TSC = 'node_modules/typescript7/bin/tsc';

/** A well-formatted file is not checked again until its text, the settings, or prettier change. */
const FORMATTED_ONCE = ['--cache', '--cache-strategy', 'content', '--cache-location', '.build/formatted'];

export const checks = {
  types: {
    name: 'types (tsc)',
    commands: ['tsconfig.json', 'webview/tsconfig.json', 'test/fixtures/library/tsconfig.json'].map((project) => [
      TSC,
      '--noEmit',
      '-p',
      project,
    ]),
  },
  eslint: { name: 'lint (eslint)', commands: [['node_modules/eslint/bin/eslint.js', '.']] },
  prettier: {
    name: 'format (prettier)',
    commands: [['node_modules/prettier/bin/prettier.cjs', '--check', '.', ...FORMATTED_ONCE]],
  },
  build: { name: 'build (esbuild)', commands: [['esbuild.mjs']] },
} satisfies Record<string, Check>;

/** Runs all commands of a check. It counts as one test, and its output is printed if it fails. */
export async function checkSuite(check: Check): Promise<SuiteResult> {
  let failed = 0;
  for (const args of check.commands) {
    const result = await runCommand(process.execPath, args, { cwd: repoRoot, timeoutMs: 900_000 });
    if (result.code === 0) continue;
    failed = 1;
    console.log(result.output.trimEnd());
    console.log(`  ✗ node ${args.join(' ')} ended with ${result.code}`);
  }
  return { name: check.name, passed: 1 - failed, failed, skipped: [] };
}
