import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { VIEW_CHAT } from '../contributionPoints';
import { chatHtml, webviewPort } from './chatHtml';
import type { ChatController } from '../../chat/chatController';
import type { ChatSurface, ChatSurfaces } from './chatSurfaces';

/** The chat view in the side bar. Gets a new controller each time the editor creates the view. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Disposable {
  private shown: { view: vscode.WebviewView; surface: ChatSurface; disposables: DisposableStore } | undefined;
  private wanted: ((controller: ChatController) => void)[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly controllerFor: (port: ReturnType<typeof webviewPort>) => ChatController,
    private readonly surfaces: ChatSurfaces,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    this.shown?.disposables.dispose();
    const disposables = new DisposableStore();
    const controller = disposables.add(this.controllerFor(webviewPort(view.webview)));
    const surface = surfaceOf(view, controller);
    this.shown = { view, surface, disposables };
    disposables.add(controller.onShown(() => this.carryOut(controller)));
    disposables.add(this.surfaces.add(surface));
    disposables.add(view.onDidChangeVisibility(() => this.surfaces.visibilityChanged()));
    view.onDidDispose(() => this.gone(view));
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')],
    };
    view.webview.html = chatHtml(view.webview, this.extensionUri, 'view');
  }

  /** Shows the view and focuses the composer. */
  focus(): Promise<void> {
    return this.withPanel((controller) => controller.focusComposer());
  }

  /** Shows the view and calls `act` with its panel once there is one. */
  async withPanel(act: (controller: ChatController) => void): Promise<void> {
    this.wanted.push(act);
    await vscode.commands.executeCommand(`${VIEW_CHAT}.focus`);
    if (!this.shown) return;
    this.surfaces.used(this.shown.surface);
    if (this.shown.surface.controller.chat) this.carryOut(this.shown.surface.controller);
  }

  dispose(): void {
    this.shown?.disposables.dispose();
    this.shown = undefined;
  }

  private carryOut(controller: ChatController): void {
    const acts = this.wanted;
    this.wanted = [];
    for (const act of acts) act(controller);
  }

  private gone(view: vscode.WebviewView): void {
    if (this.shown?.view !== view) return;
    this.shown.disposables.dispose();
    this.shown = undefined;
  }
}

function surfaceOf(view: vscode.WebviewView, controller: ChatController): ChatSurface {
  return {
    controller,
    get visible() {
      return view.visible;
    },
    reveal: () => view.show(false),
    setBadge: (badge) => {
      view.badge = badge;
    },
  };
}
