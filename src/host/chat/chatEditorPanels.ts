import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { safeLabel } from '../../base/shown/safeLabel';
import { EDITOR_CHAT } from '../contributionPoints';
import { chatHtml, webviewPort } from './chatHtml';
import { tabIcon } from './tabIcon';
import type { ChatController } from '../../chat/chatController';
import type { ChatSurface, ChatSurfaces } from './chatSurfaces';

type ControllerFor = (port: ReturnType<typeof webviewPort>, sessionId: string | undefined) => ChatController;

/** Chats in editor tabs, any number of them. After a reload the editor restores them, each with its session. */
export class ChatEditorPanels implements vscode.WebviewPanelSerializer, Disposable {
  private readonly served = new Set<DisposableStore>();

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly controllerFor: ControllerFor,
    private readonly surfaces: ChatSurfaces,
  ) {}

  open(sessionId: string): void {
    const panel = vscode.window.createWebviewPanel(EDITOR_CHAT, 'Cairn', vscode.ViewColumn.Active);
    this.serve(panel, sessionId);
  }

  /** The panel's own stored state says which session it shows. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.serve(panel, undefined);
    return Promise.resolve();
  }

  dispose(): void {
    for (const one of this.served) one.dispose();
    this.served.clear();
  }

  private serve(panel: vscode.WebviewPanel, sessionId: string | undefined): void {
    const disposables = new DisposableStore();
    const controller = disposables.add(this.controllerFor(webviewPort(panel.webview), sessionId));
    const surface: ChatSurface = {
      controller,
      get visible() {
        return panel.visible;
      },
      reveal: () => panel.reveal(),
    };
    this.served.add(disposables);
    disposables.add(this.surfaces.add(surface));
    disposables.add(controller.onShown((chat) => (panel.title = safeLabel(chat.state.title, 100) || 'Cairn')));
    panel.onDidChangeViewState(() => (panel.active ? this.surfaces.used(surface) : this.surfaces.visibilityChanged()));
    panel.onDidDispose(() => {
      this.served.delete(disposables);
      disposables.dispose();
    });
    panel.iconPath = tabIcon(this.extensionUri);
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')],
    };
    panel.webview.html = chatHtml(panel.webview, this.extensionUri, 'tab');
  }
}
