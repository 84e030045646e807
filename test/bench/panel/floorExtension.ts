import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../../editor/repoRoot';

const container = (id: string, title: string) => ({ id, title, icon: 'icon.svg' });

const MANIFEST = {
  name: 'floor',
  publisher: 'cairn-tests',
  version: '0.0.1',
  engines: { vscode: '^1.106.0' },
  main: './floorView.js',
  contributes: {
    viewsContainers: { secondarySidebar: [container('floor', 'Floor'), container('rest', 'Rest')] },
    views: {
      floor: [{ id: 'floor.view', type: 'webview', name: 'Floor', icon: 'icon.svg' }],
      rest: [{ id: 'rest.view', name: 'Rest', icon: 'icon.svg' }],
    },
  },
};

/** Writes the extension whose view is compared with Cairn's into a new folder below `dir` and returns that folder. */
export async function floorExtension(dir: string): Promise<string> {
  const folder = path.join(dir, 'floor');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(MANIFEST));
  copyFileSync(path.join(repoRoot, 'media', 'icon.svg'), path.join(folder, 'icon.svg'));
  await build({
    entryPoints: [path.join(repoRoot, 'test', 'bench', 'programs', 'floorView.ts')],
    outfile: path.join(folder, 'floorView.js'),
    external: ['vscode'],
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
  return folder;
}
