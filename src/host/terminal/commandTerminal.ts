import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { safeText } from '../../base/shown/safeText';
import { TerminalStream } from '../../base/shown/terminalStream';

/** A command of an agent as shown in a terminal. */
export interface ShownCommand {
  /** Identifies the command. */
  id: string;
  command: string;
  /** The output so far, as far as it is kept, and how the command ended; null while it runs. */
  look(): { written: string; ended: string | null };
  /** Reports further output and the end. */
  follow(onWritten: (text: string) => void, onEnded: (how: string) => void): Disposable;
  stop(): void;
}

const CTRL_C = '\u0003';
const FAINT = '\u001b[2m';
const RESET = '\u001b[0m';

/**
 * Shows the output of an agent's command. The only input is Ctrl+C, which stops the command. After it has ended, any key closes
 * the terminal.
 */
export class CommandTerminal implements vscode.Pseudoterminal {
  private readonly writes = new vscode.EventEmitter<string>();
  private readonly closes = new vscode.EventEmitter<void>();
  private readonly output = new TerminalStream();
  private following: Disposable | undefined;
  private isOver = false;
  readonly onDidWrite = this.writes.event;
  readonly onDidClose = this.closes.event;

  constructor(private readonly shown: ShownCommand) {}

  get id(): string {
    return this.shown.id;
  }

  open(): void {
    const { command } = this.shown;
    // Read only now, so that output written before the terminal opened is not missed.
    const { written, ended } = this.shown.look();
    this.writes.fire(`$ ${safeText(command, 'exact').replaceAll('\n', '\r\n')}\r\n`);
    this.write(written);
    if (ended !== null) return this.end(ended);
    this.following = this.shown.follow(
      (text) => this.write(text),
      (how) => this.end(how),
    );
  }

  handleInput(data: string): void {
    if (this.isOver) this.closes.fire();
    else if (data === CTRL_C) this.shown.stop();
  }

  close(): void {
    this.following?.dispose();
    this.writes.dispose();
    this.closes.dispose();
  }

  private write(text: string): void {
    if (text !== '' && !this.isOver) this.writes.fire(this.output.push(text));
  }

  private end(how: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.writes.fire(`${RESET}\r\n${FAINT}${safeText(how)} ${t('Press any key to close.')}${RESET}\r\n`);
  }
}
