import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { repoRoot } from '../../editor/repoRoot';

/** The files of the panel and of pages as they ship, by name: webview.js, highlighting.js, webview.css, codicon.ttf, pages.js, pages.css. */
export type PanelFiles = ReadonlyMap<string, Buffer>;

let bundled: Promise<PanelFiles> | undefined;

/** Bundles the panel, once in a process; or takes the one in the folder that CAIRN_PANEL names. */
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

/** `plugins` take part beside those of the product. */
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

/** How the product builds its panel; loaded when it runs, since it belongs to the build script. */
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
