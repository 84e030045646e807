import type { ExtensionContext } from 'vscode';
import { window } from 'vscode';

/**
 * The least a view with an input can be: what the editor itself needs from the click to text that is taken. Beside it
 * a view without any code, for the place that the two are opened in to hold something else before.
 */
export function activate(context: ExtensionContext): void {
  context.subscriptions.push(
    window.registerWebviewViewProvider('floor.view', {
      resolveWebviewView({ webview }) {
        webview.html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'" />
    <title>Floor</title>
  </head>
  <body><textarea aria-label="Message"></textarea></body>
</html>`;
      },
    }),
  );
}
