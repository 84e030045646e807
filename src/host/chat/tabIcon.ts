import * as vscode from 'vscode';

/** The icon of an editor tab. Tabs draw an icon with the colors in its file, so each theme needs its own. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `icon.${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
