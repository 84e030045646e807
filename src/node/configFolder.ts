import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns Cairn's folder, the same on every platform: CAIRN_CONFIG_DIR, or else `~/.config/cairn`. */
export function configFolder(env: NodeJS.ProcessEnv): string {
  const named = env['CAIRN_CONFIG_DIR'];
  return named ? resolve(named) : join(homedir(), '.config', 'cairn');
}

/** Returns the path of the command line's vault in Cairn's folder. */
export function vaultFileIn(configFolder: string): string {
  return join(configFolder, 'vault.json');
}
