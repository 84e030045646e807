import type { ConfigData } from './configSchema';

/** What `config.yaml` says of a run; options, the environment and the editor's settings come before it. */
export interface FileConfig {
  values: {
    agent: string | undefined;
    role: string | undefined;
    /** Name of the session to go on with. */
    session: string | undefined;
    approve: NonNullable<ConfigData['approve']> | undefined;
  };
  /** For the engine. */
  settings: Readonly<Record<string, unknown>>;
  /** What the environment would say as variables. */
  variables: Readonly<Record<string, string>>;
  /** Keys of providers, by their variables. */
  keys: ReadonlyMap<string, string>;
  /** Name of a value, as `effectiveConfig.ts` has it → where it is said, as `config.yaml:3`. */
  places: ReadonlyMap<string, string>;
  /** A line for each key or client that the person counts on and does not get. */
  warnings: readonly string[];
  /** A line for each thing that has no effect. */
  notes: readonly string[];
}
