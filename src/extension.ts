import type * as vscode from 'vscode';
import type * as host from './host/activate';
import type { CairnApi } from './library/cairnApi';
import { cacheFolder } from './node/cacheFolder';
import { CodeCache } from './node/codeCache';

/** Long enough for everything that startup needs to be compiled, and short enough for a window that is closed early. */
const SAVE_AFTER_MS = 3000;

/** The file that the editor loads: only what finds the compiled code of everything else. */
const cache = new CodeCache(cacheFolder(process.env));
let loaded: typeof host | undefined;

export function activate(context: vscode.ExtensionContext): CairnApi {
  const found = cache.run(`${__dirname}/host.js`);
  if (!isHost(found)) throw new Error(`${__dirname}/host.js is not Cairn's; install the extension again.`);
  loaded = found;
  const api = loaded.activate(context);
  const saving = setTimeout(() => cache.save(), SAVE_AFTER_MS);
  context.subscriptions.push({ dispose: () => clearTimeout(saving) });
  return api;
}

/** The editor waits a few seconds for this: long enough to end the processes of runs. */
export async function deactivate(): Promise<void> {
  await loaded?.deactivate();
}

function isHost(value: unknown): value is typeof host {
  return typeof value === 'object' && value !== null && 'activate' in value && 'deactivate' in value;
}
