import type { Log, SecretStore, SecretValues } from '../../engine';
import type { FileConfig } from '../../node/config/fileConfig';
import type { EnvironmentAddresses } from '../../node/environmentSettings';

/** What the person's own files say, for the editor. */
export interface FoundConfig {
  file: FileConfig;
  /** Name of a setting below `cairn.` → what it is where nobody set it. */
  settings: Readonly<Record<string, unknown>>;
  addresses: EnvironmentAddresses;
  /** Who answers in new sessions. */
  speakers: { agent: string | null; role: string | null };
  /** Why a file counts for nothing. */
  broken: readonly string[];
  /** Keys of providers. */
  keys: SecretStore;
}

export interface EditorConfigParts {
  /** Absolute; Cairn's own. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** Those of the editor. */
  secrets: SecretValues;
  log: Log;
}
