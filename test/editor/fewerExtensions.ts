import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { ServerInstall } from './provisionServer';

/** Built-in extensions that no story needs but every window reads: those that run code, and all languages and colors. */
const LEFT_OUT = new Set([
  'bat',
  'clojure',
  'coffeescript',
  'configuration-editing',
  'copilot',
  'cpp',
  'csharp',
  'css',
  'css-language-features',
  'dart',
  'debug-auto-launch',
  'debug-server-ready',
  'docker',
  'dotenv',
  'emmet',
  'extension-editing',
  'fsharp',
  'github',
  'github-authentication',
  'go',
  'groovy',
  'grunt',
  'gulp',
  'handlebars',
  'hlsl',
  'html',
  'html-language-features',
  'ipynb',
  'jake',
  'java',
  'json-language-features',
  'julia',
  'latex',
  'less',
  'lua',
  'make',
  'merge-conflict',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'notebook-renderers',
  'npm',
  'objective-c',
  'perl',
  'php',
  'php-language-features',
  'powershell',
  'prompt-basics',
  'pug',
  'python',
  'r',
  'razor',
  'restructuredtext',
  'ruby',
  'rust',
  'scss',
  'shaderlab',
  'swift',
  'terminal-suggest',
  'theme-abyss',
  'theme-kimbie-dark',
  'theme-monokai',
  'theme-monokai-dimmed',
  'theme-quietlight',
  'theme-red',
  'theme-solarized-dark',
  'theme-solarized-light',
  'theme-tomorrow-night-blue',
  'tunnel-forwarding',
  'typescript-language-features',
  'vb',
]);

/**
 * Creates a folder below `dataDir` with the editor's built-in extensions, except those that no story needs: each window reads all
 * of them and announces them to its extension host, which takes as long as Cairn's own startup there.
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
