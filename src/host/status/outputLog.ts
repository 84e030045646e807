import * as vscode from 'vscode';
import type { Log } from '../../engine';

/** The log as an output channel, with levels that the person can set. */
export class OutputLog implements Log, vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Cairn', { log: true });

  info(message: string): void {
    this.channel.info(message);
  }

  warn(message: string): void {
    this.channel.warn(message);
  }

  error(message: string, error?: unknown): void {
    this.channel.error(message, ...(error === undefined ? [] : [error]));
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}
