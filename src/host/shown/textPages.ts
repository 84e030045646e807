import * as vscode from 'vscode';
import type { Host } from '../host';

interface Pages {
  /** Maps a URI to the text last shown. */
  texts: Map<string, string>;
  changes: vscode.EventEmitter<vscode.Uri>;
}

/** Read-only documents of one scheme, for text generated on demand. */
export class TextPages {
  private readonly known = new WeakMap<Host['config'], Pages>();

  /** `forgets`: whether the text is dropped once its document is closed. */
  constructor(
    private readonly scheme: string,
    private readonly forgets: boolean,
  ) {}

  /** Shows a text under a path, whose last segment names the tab. A document that is already open is updated. */
  async show(
    config: Host['config'],
    page: { path: string; query?: string; text: string },
    options: vscode.TextDocumentShowOptions,
  ): Promise<void> {
    const { texts, changes } = this.known.get(config) ?? this.register(config);
    const { path, query = '', text } = page;
    const uri = vscode.Uri.from({ scheme: this.scheme, path, query });
    texts.set(uri.toString(), text);
    changes.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
  }

  private register(config: Host['config']): Pages {
    const pages: Pages = { texts: new Map(), changes: new vscode.EventEmitter<vscode.Uri>() };
    this.known.set(config, pages);
    const provider = {
      onDidChange: pages.changes.event,
      provideTextDocumentContent: (uri: vscode.Uri) => pages.texts.get(uri.toString()) ?? '',
    };
    config.disposables.add(pages.changes);
    config.disposables.add(vscode.workspace.registerTextDocumentContentProvider(this.scheme, provider));
    if (this.forgets) {
      const closed = ({ uri }: vscode.TextDocument) => pages.texts.delete(uri.toString());
      config.disposables.add(vscode.workspace.onDidCloseTextDocument(closed));
    }
    return pages;
  }
}
