import * as vscode from 'vscode';

/**
 * The language of Cairn's own text: the editor's if there is a translation, otherwise English. Screen readers rely on it for
 * pronunciation.
 */
export function shownLanguage(): string {
  return vscode.l10n.bundle ? vscode.env.language : 'en';
}
