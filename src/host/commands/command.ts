import type { CommandName } from '../contributionPoints';

/** One command of the palette. A throw is logged and shown to the person. */
export interface Command {
  name: CommandName;
  run: (argument: unknown) => Promise<void>;
}
