import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileConfig } from './fileConfig';
import type { ConfigSecrets } from './readConfig';

/** What no file says. */
export const NO_CONFIG: FileConfig = {
  values: {
    agent: undefined,
    role: undefined,
    session: undefined,
    session_role: undefined,
    approve: undefined,
    secrets_provider: undefined,
  },
  provided: undefined,
  settings: {},
  variables: {},
  keys: new Map(),
  byVariables: new Map(),
  byFile: new Map(),
  warnings: [],
  notes: [],
};

/** Not those that say no field, or are heard without this. */
const FIELD = /^COYOTE_|^CAIRN_(?!CONFIG_DIR$|VAULT_|MODEL$|REASONING_EFFORT$|IDLE_TIMEOUT$)/;

/** Whether the environment may say fields, for which what understands them is loaded. */
export function saysFields(env: NodeJS.ProcessEnv): boolean {
  return Object.keys(env).some((name) => FIELD.test(name));
}

/**
 * `config.yaml` of Cairn's own folder, and before it the variables that say its fields; a folder that is worked on has none.
 * Throws EngineError `invalid-input` when one of them is broken.
 */
export async function loadConfig(
  configFolder: string,
  env: NodeJS.ProcessEnv,
  secrets: ConfigSecrets,
): Promise<FileConfig> {
  const file = configFileIn(configFolder);
  const isThere = existsSync(file);
  if (!isThere && !saysFields(env)) return NO_CONFIG;
  const { readConfig } = await import('./readConfig');
  return readConfig(isThere ? file : undefined, env, secrets);
}

export function configFileIn(configFolder: string): string {
  return join(configFolder, 'config.yaml');
}
