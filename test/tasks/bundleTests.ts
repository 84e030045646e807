import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repoRoot } from '../editor/repoRoot';
import { contentPlugin } from './contentPlugin';

/**
 * Bundles test files into `.build/<name>/` and returns the bundles. Dependencies stay external, and files shared by several tests
 * are loaded once. `format` is cjs for tests that the editor loads into its extension host; `plugins` run before the product's.
 */
export async function bundleTests(
  name: string,
  files: readonly string[],
  format: 'esm' | 'cjs',
  plugins: readonly Plugin[] = [],
): Promise<string[]> {
  const outdir = path.join(repoRoot, '.build', name);
  await rm(outdir, { recursive: true, force: true });
  const extension = format === 'esm' ? '.mjs' : '.js';
  await build({
    absWorkingDir: repoRoot,
    entryPoints: [...files],
    outdir,
    outbase: 'test',
    outExtension: { '.js': extension },
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty', '.ttf': 'empty', '.svg': 'text' },
    plugins: [...plugins, await contentPlugin()],
    format,
    splitting: format === 'esm',
  });
  return files.map((file) => path.join(outdir, path.relative('test', file).replace(/\.tsx?$/, extension)));
}
