import type { SecretValues } from '../../engine';
import type { ConfigData } from './configSchema';

/** A value as shown to users, and where it was set. */
export interface SaidValue {
  value: string;
  /** `config.yaml:3`, a variable, a setting with its scope, an option, or `default`. */
  from: string;
}

/** Values set in one place, by name. */
export type ConfigLayer = ReadonlyMap<string, SaidValue>;

/**
 * Run configuration from `config.yaml`, overridden by the variables for its fields. Options, other variables and the editor's
 * settings take precedence over both.
 */
export interface FileConfig {
  values: {
    agent: string | undefined;
    role: string | undefined;
    /** Name of the session to continue. */
    session: string | undefined;
    /** Role that this session starts with. */
    session_role: string | undefined;
    approve: NonNullable<ConfigData['approve']> | undefined;
    /** Where secrets that Cairn does not store come from. */
    secrets_provider: string | undefined;
  };
  /** Secrets of that provider, each fetched when needed. */
  provided: SecretValues | undefined;
  /** Engine settings. */
  settings: Readonly<Record<string, unknown>>;
  /** Values that have environment variables, by variable. */
  variables: Readonly<Record<string, string>>;
  /** Provider keys, by variable. */
  keys: ReadonlyMap<string, string>;
  /** Display values set by variables; `from` is the variable. */
  byVariables: ConfigLayer;
  /** Display values set in the file; `from` is like `config.yaml:3`. */
  byFile: ConfigLayer;
  /** One line per key or client that the user expects but does not get. */
  warnings: readonly string[];
  /** One line per entry that has no effect. */
  notes: readonly string[];
}
