import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileConfig } from './configSchema';
import type { ConfigSecrets } from './readConfig';

/** The configuration without any file. */
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

/** Excludes variables that do not set a field or are handled elsewhere. */
const FIELD = /^COYOTE_|^CAIRN_(?!CONFIG_DIR$|VAULT_|MODEL$|REASONING_EFFORT$|IDLE_TIMEOUT$)/;

/** Whether the environment may set fields, which decides whether to load the parser for them. */
function saysFields(env: NodeJS.ProcessEnv): boolean {
  return Object.keys(env).some((name) => FIELD.test(name));
}

/**
 * Loads `config.yaml` from Cairn's folder, overridden by the variables for its fields. Folders being worked on have no such file.
 * Throws EngineError `invalid-input` if the file or a variable is invalid.
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
