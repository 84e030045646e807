import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Cairn's own folder, the same on every system: CAIRN_CONFIG_DIR, else `~/.config/cairn`. */
export function configFolder(env: NodeJS.ProcessEnv): string {
  const named = env['CAIRN_CONFIG_DIR'];
  return named ? resolve(named) : join(homedir(), '.config', 'cairn');
}
