import * as vscode from 'vscode';
import { type Exactness, safeNotice } from '../../base/shown/safeText';
import { safeDialog } from '../../base/shown/shownLines';

/** The editor truncates longer messages without indicating it. */
const MAX_LENGTH = 900;

/** There is nothing for a command to do now. The user is told why; nothing has failed. */
export class NotPossible extends Error {}

/**
 * Notifies the user. The text may come from anyone: all of it is made visible, and nothing becomes a link. Resolves to what the
 * pressed button means.
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

/** Shows a cancelable notification during the work. Resolves to undefined if the user canceled. `tell` updates the progress text. */
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

/** What tells on a notification that a request is sent again after a wait. */
interface ToldWaits {
  onNotice: (notice: { text: string; waitMs?: number }) => void;
  onText: () => void;
}

/** Returns what tells waits with `tell`, until the answer arrives. */
export function telling(tell: (words: string) => void): ToldWaits {
  let last = '';
  const say = (words: string) => {
    if (words !== last) tell(words);
    last = words;
  };
  return { onNotice: ({ text, waitMs }) => waitMs !== undefined && say(text), onText: () => say('') };
}

/** A button below a question, identified by its meaning, because two buttons may have the same label in some languages. */
interface ChoiceButton<T extends string> extends vscode.MessageItem {
  means: T;
}

interface DialogOptions {
  question: string;
  detail: string;
  level?: 'info' | 'warning';
  /** Which of the two contains something that would be executed. */
  exact?: 'question' | 'detail';
}

/**
 * Asks the user in a modal dialog. The text may come from anyone: all of it is made visible, and the user is warned about hidden
 * parts of anything that would be executed. Resolves to what the pressed button means.
 */
export async function askInDialog<T extends string>(
  { question, detail, level = 'warning', exact }: DialogOptions,
  ...buttons: readonly ChoiceButton<T>[]
): Promise<T | undefined> {
  const exactness = (part: 'question' | 'detail'): Exactness => (part === exact ? 'exact' : 'prose');
  const asked = safeDialog(question, exactness('question'));
  const more = safeDialog(detail, exactness('detail'));
  const warning = exact === 'question' ? asked.warning : exact === 'detail' ? more.warning : null;
  const options = { modal: true, detail: [...(warning === null ? [] : [warning]), more.text].join('\n\n') };
  const pressed =
    level === 'info'
      ? vscode.window.showInformationMessage(asked.text, options, ...buttons)
      : vscode.window.showWarningMessage(asked.text, options, ...buttons);
  return (await pressed)?.means;
}
