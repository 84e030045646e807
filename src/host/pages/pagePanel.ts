import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { sameJson } from '../../base/sameJson';
import { type PageAction, pageAction, type PageMessage, type PageView } from '../../protocol/pages';
import { inMarkup, translationsBlock } from '../chat/chatBody';
import { tabIcon } from '../chat/chatSurfaces';
import type { OutputLog } from '../outputLog';
import { notify } from '../shown/notify';
import { shownLanguage } from '../shown/shownLanguage';

interface PageParts {
  /** The view type of the tab. */
  type: string;
  title: string;
  extensionUri: vscode.Uri;
  log: OutputLog;
  /** Returns everything that the page shows. Called whenever something may have changed. */
  view: () => Promise<PageView>;
  /** Handles an action of the user, after which `view` is called again. */
  act: (action: PageAction) => Promise<void>;
  /** Opens next to the active editor without taking the focus. */
  isBeside?: true;
  /** Called when the user closes the page. */
  onClosed?: () => void;
  /** While the page is shown, calls `refresh` when something may have changed. */
  follow?: (refresh: () => void) => Disposable;
}

const SOON_MS = 100;

/** A Cairn page in an editor tab, opened at most once. Showing it again brings it to the front with current data. */
export class PagePanel {
  private shown: vscode.WebviewPanel | undefined;
  private asked = 0;
  /** The view that the page has; undefined before the first one. */
  private told: PageView | undefined;
  private soon: NodeJS.Timeout | undefined;

  constructor(private readonly parts: PageParts) {}

  async show(): Promise<void> {
    if (this.shown) {
      this.shown.reveal(undefined, this.parts.isBeside);
      await this.refresh();
      return;
    }
    const { type, title, extensionUri, isBeside = false } = this.parts;
    const viewColumn = isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(type, title, { viewColumn, preserveFocus: isBeside });
    this.shown = panel;
    this.told = undefined;
    const following = this.parts.follow?.(() => this.refreshSoon());
    panel.onDidDispose(() => {
      this.shown = undefined;
      following?.dispose();
      this.parts.onClosed?.();
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.iconPath = tabIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
    panel.webview.html = pageHtml(panel.webview, title, extensionUri);
  }

  private async receive(message: unknown): Promise<void> {
    const { data: action } = pageAction.safeParse(message);
    if (!action) return;
    try {
      // The document was loaded anew and has no view yet.
      if (action.kind === 'ready') this.told = undefined;
      else await this.parts.act(action);
      await this.refresh();
    } catch (error) {
      this.parts.log.error('A page could not carry out an action', error);
      this.tell({ failure: errorText(error) });
    }
  }

  /** Throttles refreshes while many events arrive. */
  private refreshSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.refresh().catch((error: unknown) => this.parts.log.error('A page could not be refreshed', error));
    }, SOON_MS);
  }

  /** Sends the page what has changed. */
  async refresh(): Promise<void> {
    if (!this.shown) return;
    const asked = ++this.asked;
    const view = await this.parts.view();
    // A later request has newer data and may be answered first.
    if (asked !== this.asked) return;
    this.tell(this.told ? { changes: changesOf(this.told, view) } : { view });
    this.told = view;
  }

  private tell(message: PageMessage): void {
    void this.shown?.webview.postMessage(message);
  }
}

/** The parts of a view that differ from before. */
function changesOf(before: PageView, view: PageView): Partial<PageView> {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(view).filter(([key, value]) => !sameJson(known.get(key), value)));
}

/** No remote content, a single script from the extension's folder, and only images that the page itself creates. */
function pageHtml(webview: vscode.Webview, title: string, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const policy = `default-src 'none'; img-src data:; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${shownLanguage()}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>${inMarkup(title)}</title>
    <link rel="stylesheet" href="${uri('pages.css')}" />
  </head>
  <body>
    ${translationsBlock(vscode.l10n.bundle)}
    <script nonce="${nonce}" src="${uri('pages.js')}"></script>
  </body>
</html>`;
}

interface ExportedFile {
  /** What is exported, as the notification starts with it. */
  readonly what: string;
  /** The suggested name, in the workspace folder or else in `folder`. */
  readonly name: string;
  readonly folder: string;
  /** The offered file types with their extensions. */
  readonly filters: Readonly<Record<string, string[]>>;
  readonly bytes: Uint8Array;
}

/** Asks the user for a location, writes the file there, and confirms it. */
export async function exportFile({ what, name, folder, filters, bytes }: ExportedFile): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const defaultUri = vscode.Uri.file(join(workspace ?? folder, name));
  const target = await vscode.window.showSaveDialog({ defaultUri, filters });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  void notify('info', t('{0} exported to {1}.', what, target.fsPath));
}
