import type * as vscode from 'vscode';
import type { Port } from '../../protocol/port';

/** A webview as a Port. What is posted while it is hidden is lost; the panel notices by the numbers and asks again. */
export function webviewPort(webview: vscode.Webview): Port {
  return {
    post: (message) => void webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
}
