import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { findRipgrep } from '../../src/node/ripgrep/findRipgrep';

const INSIDE_EDITOR = 'server/node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin';

/** A ripgrep on this machine: the PATH's, or that of an editor which the other tests have installed. */
export function ripgrepHere(): Promise<string | null> {
  const cache =
    process.env['CAIRN_EDITOR_CACHE'] ??
    path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'cairn-dev');
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const editors = existsSync(cache) ? readdirSync(cache) : [];
  const candidates = editors.map((editor) =>
    path.join(cache, editor, INSIDE_EDITOR, `${process.platform}-${process.arch}`, program),
  );
  return findRipgrep(candidates, process.env);
}
