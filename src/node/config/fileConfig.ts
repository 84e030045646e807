import type { SecretValues } from '../../engine';
import type { ConfigData } from './configSchema';

/** A value as people are shown it, and where it was said. */
export interface SaidValue {
  value: string;
  /** `config.yaml:3`, a variable, a setting with its scope, an option, or `default`. */
  from: string;
}

/** All that one place says: name of a value → what it is. */
export type ConfigLayer = ReadonlyMap<string, SaidValue>;

/**
 * What `config.yaml` says of a run, after the variables that say its fields; options, the other variables and the editor's
 * settings come before it.
 */
export interface FileConfig {
  values: {
    agent: string | undefined;
    role: string | undefined;
    /** Name of the session to go on with. */
    session: string | undefined;
    /** Role that this session begins with. */
    session_role: string | undefined;
    approve: NonNullable<ConfigData['approve']> | undefined;
    /** Where secrets come from that Cairn does not keep itself. */
    secrets_provider: string | undefined;
  };
  /** Those of that provider, each asked for when it is needed. */
  provided: SecretValues | undefined;
  /** For the engine. */
  settings: Readonly<Record<string, unknown>>;
  /** What the environment would say as variables. */
  variables: Readonly<Record<string, string>>;
  /** Keys of providers, by their variables. */
  keys: ReadonlyMap<string, string>;
  /** The same for people, with the variable as the place. */
  byVariables: ConfigLayer;
  /** The same for people, with `config.yaml:3` as the place. */
  byFile: ConfigLayer;
  /** A line for each key or client that the person counts on and does not get. */
  warnings: readonly string[];
  /** A line for each thing that has no effect. */
  notes: readonly string[];
}
