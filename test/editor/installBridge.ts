import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from './repoRoot';

const MANIFEST = {
  name: 'bridge',
  publisher: 'cairn-tests',
  version: '0.0.1',
  type: 'commonjs',
  main: './extension.js',
  engines: { vscode: '^1.90.0' },
  activationEvents: ['*'],
  capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
};

/** Installs the bridge among the extensions of an editor. Call before its server starts: the folder is only read at startup. */
export async function installBridge(extensionsDir: string): Promise<void> {
  const dir = path.join(extensionsDir, 'cairn-tests.bridge-0.0.1');
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, 'package.json'), JSON.stringify(MANIFEST));
  await build({
    entryPoints: [path.join(repoRoot, 'test/editor/bridge/extension.ts')],
    outfile: path.join(dir, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
}
