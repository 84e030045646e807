import type { ApproveChoice } from '../parseArguments';

/** What `config.yaml` says of a run; options and the environment come before it. */
export interface CliConfig {
  values: {
    agent: string | undefined;
    role: string | undefined;
    /** Name of the session to go on with. */
    session: string | undefined;
    approve: ApproveChoice | undefined;
  };
  /** For the engine. */
  settings: Readonly<Record<string, unknown>>;
  /** What the environment would say as variables. */
  variables: Readonly<Record<string, string>>;
  /** Keys of providers, by their variables. */
  keys: ReadonlyMap<string, string>;
  /** A line for each place whose secret is missing. */
  missing: readonly string[];
  /** A line for each thing that has no effect. */
  notes: readonly string[];
}
