import * as vscode from 'vscode';
import { safeDialog } from '../../base/shown/shownLines';
import type { Exactness } from '../../base/shown/safeText';
import type { ChoiceButton } from './notify';

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
