import * as vscode from 'vscode';
import { terminalLines } from './terminalLines';

const NAME = 'Cairn';

/**
 * Puts a block for a shell into a terminal and goes there. One line waits for the person's Enter, unless it is to run
 * `now`; several would run as they are typed, so these are asked about first.
 */
export async function runInTerminal(text: string, folder: string, { now = false } = {}): Promise<void> {
  const lines = terminalLines(text);
  if (lines.length === 0) throw new Error('There is no command in this block.');
  if (lines.length > 1 && !now && !(await confirmed(lines))) return;
  const terminal =
    vscode.window.terminals.find(({ name, exitStatus }) => name === NAME && exitStatus === undefined) ??
    vscode.window.createTerminal({ name: NAME, cwd: folder });
  terminal.show();
  terminal.sendText(lines.join('\n'), now || lines.length > 1);
}

async function confirmed(lines: readonly string[]): Promise<boolean> {
  const choice = await vscode.window.showWarningMessage(
    `Run these ${lines.length} lines in the terminal?`,
    { modal: true, detail: lines.join('\n') },
    'Run',
  );
  return choice !== undefined;
}
