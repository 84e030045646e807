import type { CommandName } from '../contributionPoints';

/** One command of the palette. A throw is logged and shown to the person. */
export interface Command {
  name: CommandName;
  /** The editor hands some commands more than one argument. */
  run: (argument: unknown, ...more: readonly unknown[]) => Promise<void>;
}
