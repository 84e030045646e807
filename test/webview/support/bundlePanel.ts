import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { repoRoot } from '../../editor/repoRoot';

/** The shipped files of the panel and pages, by name: webview.js, highlighting.js, webview.css, codicon.ttf, pages.js, pages.css. */
export type PanelFiles = ReadonlyMap<string, Buffer>;

let bundled: Promise<PanelFiles> | undefined;

/** Bundles the panel once per process, or reads it from the folder named by CAIRN_PANEL. */
export function bundlePanel(): Promise<PanelFiles> {
  const folder = process.env['CAIRN_PANEL'];
  bundled ??= folder === undefined ? makePanel() : readPanel(folder);
  return bundled;
}

async function readPanel(folder: string): Promise<PanelFiles> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}

/** `plugins` run in addition to the product's. */
export async function makePanel(plugins: readonly Plugin[] = []): Promise<PanelFiles> {
  const built = await Promise.all(
    (await panelScripts()).map((options) =>
      build({
        ...options,
        ...{ absWorkingDir: repoRoot, minify: true, write: false },
        plugins: [...plugins, ...(options.plugins ?? [])],
      }),
    ),
  );
  const files = built.flatMap(({ outputFiles = [] }) => outputFiles);
  return new Map(files.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
}

/** The product's build options for the panel. Imported at run time, because they belong to the build script. */
async function panelScripts(): Promise<BuildOptions[]> {
  const script = path.join(repoRoot, 'esbuild.mjs');
  const module: unknown = await import(pathToFileURL(script).href);
  if (!exportsPanelScripts(module)) throw new Error(`${script} does not export panelScripts.`);
  return Object.values(module.panelScripts);
}

function exportsPanelScripts(module: unknown): module is { panelScripts: Record<string, BuildOptions> } {
  return typeof module === 'object' && module !== null && 'panelScripts' in module;
}

/** A file of an installed package. */
export function packageFile(...names: string[]): Promise<string> {
  return readFile(path.join(repoRoot, 'node_modules', ...names), 'utf8');
}
