import { join } from 'node:path';

/** Where the vault of the command line lies in Cairn's own folder. */
export function vaultFileIn(configFolder: string): string {
  return join(configFolder, 'vault.json');
}
