import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../../editor/repoRoot';

/** The files of the panel as they ship, by name: webview.js, webview.css, codicon.ttf. */
export type PanelFiles = ReadonlyMap<string, Buffer>;

let bundled: Promise<PanelFiles> | undefined;

/** Bundles the panel, once in a process. */
export function bundlePanel(): Promise<PanelFiles> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<PanelFiles> {
  const result = await build({
    absWorkingDir: repoRoot,
    entryPoints: ['webview/main.tsx'],
    outfile: 'dist/webview.js',
    bundle: true,
    minify: true,
    legalComments: 'none',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: 'webview/tsconfig.json',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    write: false,
  });
  return new Map(result.outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
}

/** A file of an installed package. */
export function packageFile(...names: string[]): Promise<string> {
  return readFile(path.join(repoRoot, 'node_modules', ...names), 'utf8');
}
