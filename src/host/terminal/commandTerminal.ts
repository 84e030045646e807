import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { safeText } from '../../base/shown/safeText';
import { TerminalStream } from '../../base/shown/terminalStream';

/** A command of an agent, as a terminal shows it. */
export interface ShownCommand {
  /** The same for the same command. */
  id: string;
  command: string;
  /** What it wrote so far, as far as that is kept, and how it ended; null while it runs. */
  look(): { written: string; ended: string | null };
  /** Tells what it writes from now on, and its end. */
  follow(onWritten: (text: string) => void, onEnded: (how: string) => void): Disposable;
  stop(): void;
}

const CTRL_C = '\u0003';
const FAINT = '\u001b[2m';
const RESET = '\u001b[0m';

/** Shows what a command of an agent writes. It takes no input but Ctrl+C, which stops the command; once that is over any key closes it. */
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
    // Only now, so that nothing is missed that was written before the terminal was there.
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
