/** What a command does. A throw is logged and shown to the person. */
export interface Command {
  /** The editor hands some commands more than one argument. */
  run: (argument: unknown, ...more: readonly unknown[]) => Promise<void>;
}
