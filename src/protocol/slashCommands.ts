import type { PanelCommand } from './chatState';

/** What `/` offers in the composer. */
export interface SlashCommand {
  name: string;
  description: string;
  command: PanelCommand;
  /** What words after it name; without them the person is asked. Absent: it takes none. */
  takes?: 'agent' | 'role';
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'new', description: 'Begin a new session', command: 'newSession' },
  { name: 'open', description: 'Open another session', command: 'openSession' },
  { name: 'agent', description: 'Choose who answers', command: 'chooseAgent', takes: 'agent' },
  { name: 'role', description: 'Choose a way to behave', command: 'chooseRole', takes: 'role' },
  { name: 'skills', description: 'Load and unload skills', command: 'chooseSkills' },
  { name: 'model', description: 'Choose the model', command: 'chooseModel' },
  { name: 'approvals', description: 'Choose what is asked before it is done', command: 'chooseApprovalMode' },
  { name: 'compact', description: 'Sum up the conversation to make room', command: 'compactSession' },
  { name: 'undo', description: 'Put files back as they were before a message', command: 'restoreCheckpoint' },
  { name: 'clear-todos', description: 'Clear the to-do list', command: 'clearTodos' },
  { name: 'stop', description: 'Stop the run', command: 'stopRun' },
  { name: 'shell', description: 'Have a command written for the terminal', command: 'describeCommand' },
  { name: 'export', description: 'Save the session as Markdown or JSON', command: 'exportSession' },
  { name: 'transcript', description: 'Open the transcript as a document', command: 'openTranscript' },
  { name: 'editor', description: 'Open this session in an editor tab', command: 'openInEditor' },
  { name: 'review', description: 'Review the changes that wait for you', command: 'reviewChanges' },
  { name: 'rules', description: 'Edit the permission rules', command: 'editPermissionRules' },
  { name: 'key', description: 'Set an API key', command: 'setApiKey' },
  { name: 'log', description: 'Show the log', command: 'showLog' },
];

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
  const command = SLASH_COMMANDS.find((one) => one.name === name.toLowerCase());
  const words = rest.trim();
  if (command && words === '') return { kind: 'command', command };
  if (command?.takes) return { kind: 'choice', takes: command.takes, name: words };
  return { kind: 'unknown', name, isKnown: command !== undefined };
}
