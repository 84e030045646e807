import type { Log, SecretStore, SecretValues } from '../../engine';
import type { FileConfig } from '../../node/config/fileConfig';
import type { EnvironmentAddresses } from '../../node/environmentSettings';

/** The editor's view of the user's configuration files. */
export interface FoundConfig {
  file: FileConfig;
  /** Maps a setting name below `cairn.` to the value used if the setting is not set. */
  settings: Readonly<Record<string, unknown>>;
  addresses: EnvironmentAddresses;
  /** Agent and role for new sessions. */
  speakers: { agent: string | null; role: string | null };
  /** Why files are ignored, one message each. */
  broken: readonly string[];
  /** API keys of providers. */
  keys: SecretStore;
}

export interface EditorConfigParts {
  /** Cairn's configuration folder, absolute. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** The editor's secrets. */
  secrets: SecretValues;
  log: Log;
}
