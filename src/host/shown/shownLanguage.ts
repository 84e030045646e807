import * as vscode from 'vscode';

/** Of our own words: the editor's when they were translated into it. A screen reader speaks them so. */
export function shownLanguage(): string {
  return vscode.l10n.bundle ? vscode.env.language : 'en';
}
