import * as vscode from 'vscode';
import { safeNotice } from '../../base/shown/safeNotice';

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
