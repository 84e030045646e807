import type { PanelCommand } from './commands';
import { SLASH_RECORDS } from './slashRecords';

/** What `/` offers in the composer. */
export interface SlashCommand {
  name: string;
  description: string;
  /** What it stands under in the list. */
  group: 'session' | 'agent' | 'settings';
  command: PanelCommand;
  /** What words after it name; without them the person is asked. Absent: it takes none. */
  takes?: 'agent' | 'role';
}

/** With their descriptions in the language of the person. */
export function slashCommands(): readonly SlashCommand[] {
  return SLASH_RECORDS.map((one) => Object.assign({}, one, { description: one.description() }));
}

/** What a text says in commands: one to run, what looks like one and cannot be, or nothing, so that it is a message. */
export type SlashText =
  | { kind: 'command'; command: SlashCommand }
  | { kind: 'choice'; takes: 'agent' | 'role'; name: string }
  /** `isKnown`: there is such a command, but it takes no words. */
  | { kind: 'unknown'; name: string; isKnown: boolean }
  | { kind: 'message' };

/** A path at the beginning is no command; neither is a text after a space. */
export function readSlashText(text: string): SlashText {
  const [, name, rest = ''] = /^\/([a-z][a-z-]*)(\s[^]*)?$/i.exec(text) ?? [];
  if (name === undefined) return { kind: 'message' };
  const command = slashCommands().find((one) => one.name === name.toLowerCase());
  const words = rest.trim();
  if (command && words === '') return { kind: 'command', command };
  if (command?.takes) return { kind: 'choice', takes: command.takes, name: words };
  return { kind: 'unknown', name, isKnown: command !== undefined };
}
