import * as vscode from 'vscode';

/** The icon of a tab: tabs draw its colours as they stand in the file, whatever the theme is. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `icon.${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
