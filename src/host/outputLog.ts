import * as vscode from 'vscode';
import { errorText } from '../base/errors';
import { safeText } from '../base/shown/safeText';
import type { Log } from '../engine';

/** The log, as an output channel with a level that the user can set. */
export class OutputLog implements Log, vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Cairn', { log: true });

  info(message: string): void {
    this.channel.info(safeText(message));
  }

  warn(message: string): void {
    this.channel.warn(safeText(message));
  }

  error(message: string, error?: unknown): void {
    if (error === undefined) this.channel.error(safeText(message));
    else
      this.channel.error(
        safeText(message),
        safeText(error instanceof Error ? (error.stack ?? error.message) : errorText(error)),
      );
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}
