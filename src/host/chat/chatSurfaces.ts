import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, onDispose } from '../../base/disposable';
import { safeLabel } from '../../base/shown/safeText';
import type { ChatController } from '../../chat/chatController';
import type { Log } from '../../engine';
import { EDITOR_CHAT, VIEW_CHAT } from '../contributionPoints';
import { chatHtml, webviewPort } from './chatHtml';

/** A place that shows a panel: the view in the side bar or an editor tab. */
export interface ChatSurface {
  readonly controller: ChatController;
  readonly visible: boolean;
  reveal(): void;
  /** Shows a number with a tooltip on the icon; undefined removes it. */
  setBadge?(badge: { value: number; tooltip: string } | undefined): void;
}

/** All open panels. Commands in the palette apply to the active one. */
export class ChatSurfaces implements Disposable {
  private readonly disposables = new DisposableStore();
  /** Ordered by last use, most recent last. */
  private readonly surfaces = new Set<ChatSurface>();
  private readonly changes: Emitter<undefined>;

  constructor(log: Log) {
    this.changes = this.disposables.add(
      new Emitter<undefined>((error) => log.error('A panel could not be followed', error)),
    );
  }

  /** The panel used last, preferring visible ones. */
  get active(): ChatSurface | undefined {
    const all = [...this.surfaces];
    return all.findLast(({ visible }) => visible) ?? all.at(-1);
  }

  /** Panels that can show a number on their icon. */
  get badged(): ChatSurface[] {
    return [...this.surfaces].filter((one) => 'setBadge' in one);
  }

  get all(): readonly ChatSurface[] {
    return [...this.surfaces];
  }

  /** Calls the listener when another panel may have become active or a panel shows another chat. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  showing(sessionId: string): ChatSurface[] {
    return [...this.surfaces].filter(({ controller }) => controller.chat?.session.id === sessionId);
  }

  add(surface: ChatSurface): Disposable {
    const { controller } = surface;
    const listening = [
      controller.onShown(() => this.changes.emit(undefined)),
      controller.onUsed(() => this.used(surface)),
    ];
    this.used(surface);
    return onDispose(() => {
      for (const one of listening) one.dispose();
      this.surfaces.delete(surface);
      this.changes.emit(undefined);
    });
  }

  /** Call it when the user turns to this panel. */
  used(surface: ChatSurface): void {
    if ([...this.surfaces].at(-1) === surface) return;
    this.surfaces.delete(surface);
    this.surfaces.add(surface);
    this.changes.emit(undefined);
  }

  /** Call it when a panel is shown or hidden. */
  visibilityChanged(): void {
    this.changes.emit(undefined);
  }

  dispose(): void {
    this.disposables.dispose();
    this.surfaces.clear();
  }
}

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

/** The icon of an editor tab. Tabs draw an icon with the colors in its file, so each theme needs its own. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `icon.${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
