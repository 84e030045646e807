import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { ServerInstall } from './provisionServer';

/** With code that runs in every window, or large manifests, and in no story. */
const LEFT_OUT = new Set([
  'configuration-editing',
  'copilot',
  'css-language-features',
  'debug-auto-launch',
  'debug-server-ready',
  'emmet',
  'extension-editing',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'html-language-features',
  'ipynb',
  'jake',
  'json-language-features',
  'merge-conflict',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'notebook-renderers',
  'npm',
  'php-language-features',
  'terminal-suggest',
  'tunnel-forwarding',
  'typescript-language-features',
]);

/**
 * A folder below `dataDir` with the extensions that the editor comes with, less those that no story needs: each window reads all of
 * them and tells its extension host about them, which takes as long as what Cairn does there.
 */
export async function fewerExtensions({ main }: ServerInstall, dataDir: string): Promise<string> {
  const all = path.join(path.dirname(path.dirname(main)), 'extensions');
  const fewer = path.join(dataDir, 'built-in');
  await mkdir(fewer);
  const folders = (await readdir(all, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const wanted = folders.map(({ name }) => name).filter((name) => !LEFT_OUT.has(name));
  await Promise.all(wanted.map((name) => symlink(path.join(all, name), path.join(fewer, name), 'junction')));
  return fewer;
}
