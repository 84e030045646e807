import * as vscode from 'vscode';
import { safeDialog } from '../../base/shown/shownLines';
import type { Exactness } from '../../base/shown/safeText';
import type { ChoiceButton } from './notify';

interface DialogOptions {
  /** What is asked. */
  question: string;
  detail: string;
  level?: 'info' | 'warning';
  /** Of the question or the detail, when what it shows would be carried out. */
  exact?: 'question' | 'detail';
}

/**
 * Asks the person in a dialog, whoever had a part in the words: everything in them is seen, and they are warned of what is hidden
 * in what would be carried out. Gives what the button means that was pressed.
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
