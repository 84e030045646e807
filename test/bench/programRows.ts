import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { ripgrepHere } from '../node/ripgrepHere';
import { contentPlugin } from '../tasks/contentPlugin';
import type { Row } from './row';

/**
 * Runs a program of `programs/`, which measures parts of the engine in its own process, and returns the rows that it prints.
 * Throws with its output if it fails.
 */
export async function programRows(name: string, rounds: number, scratch: string): Promise<Row[]> {
  const outfile = path.join(scratch, 'programs', `${name}.mjs`);
  await build({
    entryPoints: [path.join(repoRoot, 'test', 'bench', 'programs', `${name}.ts`)],
    outfile,
    format: 'esm',
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    plugins: [await contentPlugin()],
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  });
  // Resolved here, because the program runs where no packages are installed.
  const args = [outfile, String(rounds), scratch, ripgrepHere()];
  const { code, output } = await runCommand(process.execPath, args, { cwd: scratch, timeoutMs: 300_000 });
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${output}`);
  const rows: unknown = JSON.parse(last);
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw new Error(`${name} printed no rows:\n${output}`);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'what' in value && 'value' in value && 'digits' in value;
}
