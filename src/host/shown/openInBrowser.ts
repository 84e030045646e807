import * as vscode from 'vscode';

/** Opens exactly this address. Resolves to false if the user declined, as far as the editor reports it. */
export async function openInBrowser(address: string): Promise<boolean> {
  const uri = vscode.Uri.parse(address.replaceAll('+', '%20'), true);
  if (isSame(address, encodeURI(uri.toString(true)))) return vscode.env.openExternal(uri);
  // The editor re-encodes a Uri and loses which characters are part of a value, so a URL within the query would be cut off. The
  // command accepts a string, but does not forward ports or report its outcome.
  await vscode.commands.executeCommand('vscode.open', address);
  return true;
}

function isSame(address: string, written: string): boolean {
  const [one, other] = [new URL(address), new URL(written)];
  const said = ({ origin, pathname, searchParams, hash }: URL) =>
    JSON.stringify([origin, pathname, [...searchParams], hash]);
  return said(one) === said(other);
}
