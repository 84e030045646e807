import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileConfig } from './fileConfig';
import type { ConfigSecrets } from './readConfig';

/** What no file says. */
export const NO_CONFIG: FileConfig = {
  values: { agent: undefined, role: undefined, session: undefined, approve: undefined },
  settings: {},
  variables: {},
  keys: new Map(),
  places: new Map(),
  warnings: [],
  notes: [],
};

/** `config.yaml` of Cairn's own folder; a folder that is worked on has none. Throws EngineError `invalid-input` when it is broken. */
export async function loadConfig(configFolder: string, secrets: ConfigSecrets): Promise<FileConfig> {
  const file = configFileIn(configFolder);
  if (!existsSync(file)) return NO_CONFIG;
  const { readConfig } = await import('./readConfig');
  return readConfig(file, secrets);
}

export function configFileIn(configFolder: string): string {
  return join(configFolder, 'config.yaml');
}
