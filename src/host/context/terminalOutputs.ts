import * as vscode from 'vscode';

/** Characters of one output that are kept, of its end. */
const MAX_RAW = 120_000;
/** Commands that are kept, the newest. */
const MAX_COMMANDS = 8;

/** A command that the person ran in a terminal of the editor. */
export interface RanCommand {
  /** Of this window only. */
  id: string;
  command: string;
  /** As it came, with what steers a terminal. */
  raw: string;
  /** True when the beginning is missing. */
  isCut: boolean;
  /** Null while it runs; undefined when the shell did not say. */
  exitCode: number | undefined | null;
}

/** What the last commands in terminals wrote, the newest first. */
export interface TerminalOutputs {
  all: RanCommand[];
  count: number;
}

/**
 * Keeps the end of what a command in a terminal with shell integration writes, until that is over. It stays in memory, and goes
 * nowhere unless the person adds it to a message.
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
  // It may have been over before anybody listened; else its code comes in a moment.
  one.exitCode ??= undefined;
}
