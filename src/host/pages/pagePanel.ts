import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { errorText } from '../../base/errorText';
import { type PageAction, pageAction, type PageView } from '../../protocol/pages';
import { tabIcon } from '../chat/tabIcon';
import type { OutputLog } from '../status/outputLog';

export interface PageParts {
  /** The type of the tab. */
  type: string;
  title: string;
  extensionUri: vscode.Uri;
  log: OutputLog;
  /** Everything that it shows, asked for whenever something may be different. */
  view: () => Promise<PageView>;
  /** What the person does there; afterwards the view is asked for again. */
  act: (action: PageAction) => Promise<void>;
}

/** A page of ours in an editor tab, opened once: asked for again, it comes to the front with what there is by now. */
export class PagePanel {
  private shown: vscode.WebviewPanel | undefined;
  private asked = 0;

  constructor(private readonly parts: PageParts) {}

  async show(): Promise<void> {
    if (this.shown) {
      this.shown.reveal();
      await this.refresh();
      return;
    }
    const { type, title, extensionUri } = this.parts;
    const panel = vscode.window.createWebviewPanel(type, title, vscode.ViewColumn.Active);
    this.shown = panel;
    panel.onDidDispose(() => (this.shown = undefined));
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.iconPath = tabIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
    panel.webview.html = pageHtml(panel.webview, title, extensionUri);
  }

  private async receive(message: unknown): Promise<void> {
    const { data: action } = pageAction.safeParse(message);
    if (!action) return;
    try {
      if (action.kind !== 'ready') await this.parts.act(action);
      await this.refresh();
    } catch (error) {
      this.parts.log.error('A page could not do what was asked of it', error);
      void this.shown?.webview.postMessage({ failure: errorText(error) });
    }
  }

  private async refresh(): Promise<void> {
    const asked = ++this.asked;
    const view = await this.parts.view();
    // What was asked for later is newer, and may be there before it.
    if (asked === this.asked) void this.shown?.webview.postMessage({ view });
  }
}

/** No remote content, one script of our own folder. */
function pageHtml(webview: vscode.Webview, title: string, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>${title}</title>
    <link rel="stylesheet" href="${uri('pages.css')}" />
  </head>
  <body>
    <script nonce="${nonce}" src="${uri('pages.js')}"></script>
  </body>
</html>`;
}
