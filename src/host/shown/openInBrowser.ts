import * as vscode from 'vscode';

/** Opens a page, to the letter; false when the person did not want that, as far as the editor tells. */
export async function openInBrowser(address: string): Promise<boolean> {
  const uri = vscode.Uri.parse(address.replaceAll('+', '%20'), true);
  if (isSame(address, encodeURI(uri.toString(true)))) return vscode.env.openExternal(uri);
  // The editor writes a Uri anew, and loses which signs are part of a value: an address within it would be cut off. The command takes
  // text, but forwards no port, and tells nothing of its end.
  await vscode.commands.executeCommand('vscode.open', address);
  return true;
}

function isSame(address: string, written: string): boolean {
  const [one, other] = [new URL(address), new URL(written)];
  const said = ({ origin, pathname, searchParams, hash }: URL) =>
    JSON.stringify([origin, pathname, [...searchParams], hash]);
  return said(one) === said(other);
}
