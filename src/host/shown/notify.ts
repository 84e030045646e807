import * as vscode from 'vscode';
import { safeNotice } from '../../base/shown/safeLabel';

/** The editor cuts off what is longer, without a sign. */
const MAX_LENGTH = 900;

/**
 * Tells the person in a notification, whoever had a part in the words: everything in them is seen and nothing becomes a link.
 * Gives the button that was pressed.
 */
export function notify<T extends string>(
  level: 'info' | 'warning' | 'error',
  words: string,
  ...buttons: readonly T[]
): Thenable<T | undefined> {
  const safe = safeNotice(words, MAX_LENGTH);
  switch (level) {
    case 'info':
      return vscode.window.showInformationMessage(safe, ...buttons);
    case 'warning':
      return vscode.window.showWarningMessage(safe, ...buttons);
    case 'error':
      return vscode.window.showErrorMessage(safe, ...buttons);
  }
}

/** Shows a notification while work is done, with a button that ends it. Undefined when the person pressed that. `tell`: how far it is. */
export async function withCancel<T>(
  title: string,
  work: (signal: AbortSignal, tell: (words: string) => void) => Promise<T>,
): Promise<T | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: safeNotice(title), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (words) => progress.report({ message: safeNotice(words) }));
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      throw error;
    } finally {
      listening.dispose();
    }
  });
}
