import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Port } from '../../protocol/envelope';
import { IN_VIEW } from '../../protocol/panelDocument';
import { shownLanguage } from '../shown/shownLanguage';
import { chatBody } from './chatBody';

/** The panel's document: no remote content, one inline script, everything else from the extension's folder. */
export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri, place: 'view' | 'tab'): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const { cspSource } = webview;
  const policy = [
    `default-src 'none'`,
    `img-src ${cspSource} data:`,
    `font-src ${cspSource}`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${shownLanguage()}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" content="${nonce}" />
    <title>Cairn</title>
    <link rel="stylesheet" href="${uri('webview.css')}" />
  </head>
  <body${place === 'view' ? ` ${IN_VIEW}` : ''}>
    ${chatBody(nonce, uri('webview.js'), vscode.l10n.bundle)}
  </body>
</html>`;
}

/** Wraps a webview as a Port. Messages posted while it is hidden are lost; the panel notices the gap in sequence numbers and asks again. */
export function webviewPort(webview: vscode.Webview): Port {
  return {
    post: (message) => void webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
}
