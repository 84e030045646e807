import type { PanelCommand } from './commands';
import { SLASH_RECORDS } from './slashRecords';

/** A command offered after `/` in the composer. */
export interface SlashCommand {
  name: string;
  description: string;
  /** Its group in the list. */
  group: 'session' | 'agent' | 'settings';
  command: PanelCommand;
  /** What the words after it name; without them the user is asked. Absent if it takes none. */
  takes?: 'agent' | 'role';
}

/** Returns the commands with their descriptions in the user's language. */
export function slashCommands(): readonly SlashCommand[] {
  return SLASH_RECORDS.map((one) => Object.assign({}, one, { description: one.description() }));
}

/** How a text is interpreted: a command to run, an invalid command, or otherwise a message. */
type SlashText =
  | { kind: 'command'; command: SlashCommand }
  | { kind: 'choice'; takes: 'agent' | 'role'; name: string }
  /** `isKnown`: the command exists but takes no arguments. */
  | { kind: 'unknown'; name: string; isKnown: boolean }
  | { kind: 'message' };

/** Parses a text. A path at the start is not a command, nor is a text that starts with a space. */
export function readSlashText(text: string): SlashText {
  const [, name, rest = ''] = /^\/([a-z][a-z-]*)(\s[^]*)?$/i.exec(text) ?? [];
  if (name === undefined) return { kind: 'message' };
  const command = slashCommands().find((one) => one.name === name.toLowerCase());
  const words = rest.trim();
  if (command && words === '') return { kind: 'command', command };
  if (command?.takes) return { kind: 'choice', takes: command.takes, name: words };
  return { kind: 'unknown', name, isKnown: command !== undefined };
}
