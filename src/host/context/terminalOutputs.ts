import * as vscode from 'vscode';

/** Maximum characters kept per output, taken from its end. */
const MAX_RAW = 120_000;
/** Maximum number of commands kept; the newest are kept. */
const MAX_COMMANDS = 8;

/** A command that the user ran in a terminal of the editor. */
export interface RanCommand {
  /** Unique within this window only. */
  id: string;
  command: string;
  /** Raw output, including terminal control sequences. */
  raw: string;
  /** Whether the beginning is missing. */
  isCut: boolean;
  /** Null while it runs; undefined if the shell reported none. */
  exitCode: number | undefined | null;
}

/** Output of the last commands in terminals, newest first. */
export interface TerminalOutputs {
  all: RanCommand[];
  count: number;
}

/**
 * Records the end of a command's output in a terminal with shell integration until the command is over. It stays in memory and is
 * sent nowhere unless the user attaches it to a message.
 */
export async function recordOutput(
  outputs: TerminalOutputs,
  execution: vscode.TerminalShellExecution,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const command = execution.commandLine.value.trim();
  if (command === '') return;
  const one: RanCommand = { id: `terminal-${++outputs.count}`, command, raw: '', isCut: false, exitCode: null };
  outputs.all.unshift(one);
  outputs.all.length = Math.min(outputs.all.length, MAX_COMMANDS);
  const listening = vscode.window.onDidEndTerminalShellExecution((ended) => {
    if (ended.execution !== execution) return;
    one.exitCode = ended.exitCode;
    listening.dispose();
  });
  for await (const piece of pieces) {
    const raw = one.raw + piece;
    one.isCut ||= raw.length > MAX_RAW;
    one.raw = raw.slice(-MAX_RAW);
  }
  // The command may have ended before the listener was registered. Otherwise its exit code arrives shortly.
  one.exitCode ??= undefined;
}
