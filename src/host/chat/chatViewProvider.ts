import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { VIEW_CHAT } from '../contributionPoints';
import { chatHtml } from './chatHtml';
import type { ChatController } from './chatController';
import type { LiveChat } from './liveChat';
import { webviewPort } from './webviewPort';

/** The chat view in the side bar. Each time the editor shows it anew, a new controller serves it. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Disposable {
  private shown: { view: vscode.WebviewView; controller: ChatController; disposables: DisposableStore } | undefined;
  private focusWanted = false;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly controllerFor: (port: ReturnType<typeof webviewPort>) => ChatController,
    private readonly onChat: (chat: LiveChat, view: vscode.WebviewView) => Disposable,
  ) {}

  get controller(): ChatController | undefined {
    return this.shown?.controller;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.shown?.disposables.dispose();
    const disposables = new DisposableStore();
    const controller = disposables.add(this.controllerFor(webviewPort(view.webview)));
    this.shown = { view, controller, disposables };
    disposables.add(this.followChat(controller, view));
    view.onDidDispose(() => this.gone(view));
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')],
    };
    view.webview.html = chatHtml(view.webview, this.extensionUri);
  }

  /** Shows the view and puts the keyboard focus into the composer. */
  async focus(): Promise<void> {
    this.focusWanted = true;
    await vscode.commands.executeCommand(`${VIEW_CHAT}.focus`);
    if (this.shown?.controller.chat) this.giveFocus(this.shown.controller);
  }

  dispose(): void {
    this.shown?.disposables.dispose();
    this.shown = undefined;
  }

  private followChat(controller: ChatController, view: vscode.WebviewView): Disposable {
    let following: Disposable | undefined;
    const listening = controller.onShown((chat) => {
      following?.dispose();
      following = this.onChat(chat, view);
      if (this.focusWanted) this.giveFocus(controller);
    });
    return {
      dispose: () => {
        listening.dispose();
        following?.dispose();
      },
    };
  }

  private giveFocus(controller: ChatController): void {
    this.focusWanted = false;
    controller.focusComposer();
  }

  private gone(view: vscode.WebviewView): void {
    if (this.shown?.view !== view) return;
    this.shown.disposables.dispose();
    this.shown = undefined;
  }
}
