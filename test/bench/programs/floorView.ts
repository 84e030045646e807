import type { ExtensionContext } from 'vscode';
import { window } from 'vscode';

/**
 * A minimal view with an input, which shows what the editor itself needs from the click until the input accepts text. The
 * extension also has a view without any code, so that the container of both views can show something else first.
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
