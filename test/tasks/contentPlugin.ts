import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { repoRoot } from '../editor/repoRoot';

/** The product's loader for .md and .yaml files. Imported at run time, because it belongs to the build script. */
export async function contentPlugin(): Promise<Plugin> {
  const script = path.join(repoRoot, 'esbuild.mjs');
  const module: unknown = await import(pathToFileURL(script).href);
  if (!exportsContentPlugin(module)) throw new Error(`${script} does not export contentPlugin().`);
  return module.contentPlugin();
}

function exportsContentPlugin(module: unknown): module is { contentPlugin: () => Plugin } {
  return typeof module === 'object' && module !== null && 'contentPlugin' in module;
}
