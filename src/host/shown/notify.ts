import * as vscode from 'vscode';
import { safeNotice } from '../../base/shown/safeLabel';

/** The editor cuts off what is longer, without a sign. */
const MAX_LENGTH = 900;

/**
 * Tells the person in a notification, whoever had a part in the words: everything in them is seen and nothing becomes a link.
 * Gives what the button means that was pressed.
 */
export async function notify<T extends string>(
  level: 'info' | 'warning' | 'error',
  words: string,
  ...buttons: readonly ChoiceButton<T>[]
): Promise<T | undefined> {
  const safe = safeNotice(words, MAX_LENGTH);
  return (await show(level, safe, buttons))?.means;
}

function show<T extends vscode.MessageItem>(level: 'info' | 'warning' | 'error', words: string, buttons: readonly T[]) {
  switch (level) {
    case 'info':
      return vscode.window.showInformationMessage(words, ...buttons);
    case 'warning':
      return vscode.window.showWarningMessage(words, ...buttons);
    case 'error':
      return vscode.window.showErrorMessage(words, ...buttons);
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

/** A button under a question. It is told apart from the others by what it means: in some language two may have the same words. */
export interface ChoiceButton<T extends string> extends vscode.MessageItem {
  means: T;
}
