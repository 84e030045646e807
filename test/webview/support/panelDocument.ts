import { chatBody } from '../../../src/host/chat/chatBody';
import { IN_VIEW } from '../../../src/protocol/panelDocument';
import type { Theme } from '../preview/themes';

export const NONCE = 'dGVzdC1ub25jZQ';

/** The content security policy of the editor's webview. */
export const POLICY =
  "default-src 'none'; img-src data: 'self'; font-src 'self'; " +
  `style-src 'self' 'nonce-${NONCE}'; script-src 'nonce-${NONCE}'`;

interface DocumentOptions {
  bundle?: unknown;
  inView?: boolean | undefined;
}

/** The panel's document as the host creates it, with what the editor adds: theme variables and classes. */
export function panelDocument(
  { classes, colors }: Theme,
  reduceMotion: boolean,
  { bundle, inView = false }: DocumentOptions = {},
): string {
  const variables = Object.entries(colors).map(([name, value]) => `--vscode-${name.replaceAll('.', '-')}: ${value};`);
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${NONCE}" />
    <title>Cairn</title>
    <style nonce="${NONCE}">
      html {
        --vscode-font-family: "Segoe WPC", "Segoe UI", system-ui, "Ubuntu", "Droid Sans", "Liberation Sans", sans-serif;
        --vscode-font-size: 13px;
        --vscode-font-weight: normal;
        --vscode-editor-font-family: "Droid Sans Mono", "Liberation Mono", monospace;
        --vscode-editor-font-size: 14px;
        --vscode-editor-font-weight: normal;
        ${variables.join('\n        ')}
        scrollbar-color: rgba(121, 121, 121, 0.4) transparent;
        scrollbar-width: thin;
      }
    </style>
    <link rel="stylesheet" href="webview.css" />
  </head>
  <body class="${classes}${reduceMotion ? ' vscode-reduce-motion' : ''}"${inView ? ` ${IN_VIEW}` : ''}>
    ${chatBody(NONCE, 'webview.js', bundle)}
  </body>
</html>`;
}
