import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretValues } from '../../engine';
import type { CliConfig } from './cliConfig';

const NOTHING: CliConfig = {
  values: { agent: undefined, role: undefined, session: undefined, approve: undefined },
  settings: {},
  variables: {},
  keys: new Map(),
  missing: [],
  notes: [],
};

/** `config.yaml` of Cairn's own folder; a folder that is worked on has none. Throws UsageError when it is broken. */
export async function loadConfig(configFolder: string, secrets: SecretValues): Promise<CliConfig> {
  const file = join(configFolder, 'config.yaml');
  if (!existsSync(file)) return NOTHING;
  const { readConfig } = await import('./readConfig');
  return readConfig(file, secrets);
}
