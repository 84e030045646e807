import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';

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

/**
 * The end of what the last commands in the editor's terminals wrote, where these have shell integration. It stays in memory, and
 * goes nowhere unless the person adds it to a message.
 */
export class TerminalOutputs implements Disposable {
  private ran: RanCommand[] = [];
  private count = 0;
  private readonly executions = new WeakMap<object, RanCommand>();
  private readonly listening: vscode.Disposable;

  constructor() {
    this.listening = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => void this.record(execution)),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const one = this.executions.get(execution);
        if (one) one.exitCode = exitCode;
      }),
    );
  }

  /** The newest first. */
  get all(): readonly RanCommand[] {
    return this.ran.toReversed();
  }

  dispose(): void {
    this.listening.dispose();
    this.ran = [];
  }

  private async record(execution: vscode.TerminalShellExecution): Promise<void> {
    // At once: what was written before it is asked for is not given.
    const pieces = execution.read();
    const id = `terminal-${++this.count}`;
    const one: RanCommand = { id, command: execution.commandLine.value.trim(), raw: '', isCut: false, exitCode: null };
    if (one.command === '') return;
    this.executions.set(execution, one);
    this.ran = [...this.ran, one].slice(-MAX_COMMANDS);
    for await (const piece of pieces) {
      const raw = one.raw + piece;
      one.isCut ||= raw.length > MAX_RAW;
      one.raw = raw.slice(-MAX_RAW);
    }
  }
}
