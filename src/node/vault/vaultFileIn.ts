import { join } from 'node:path';

/** Returns the path of the command line's vault in Cairn's folder. */
export function vaultFileIn(configFolder: string): string {
  return join(configFolder, 'vault.json');
}
