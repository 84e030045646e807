import type { Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log } from '../../engine';
import type { Port } from '../../protocol/port';
import type { ChatApiParts } from './chatApi';
import { ChatController } from './chatController';
import { ChatEditorPanels } from './chatEditorPanels';
import type { ChatSurfaces } from './chatSurfaces';
import { ChatViewProvider } from './chatViewProvider';

export interface ChatPanelsParts {
  extensionUri: Uri;
  surfaces: ChatSurfaces;
  api: Omit<ChatApiParts, 'attach' | 'lastShown'>;
  /** The session that the side bar showed last, kept over reloads. */
  lastShown: () => string | undefined;
  rememberShown: (sessionId: string) => void;
  log: Log;
}

/** Makes the panels, and finds the one that something is to be shown in. */
export class ChatPanels implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly view: ChatViewProvider;
  readonly editors: ChatEditorPanels;

  constructor(private readonly parts: ChatPanelsParts) {
    const { extensionUri, surfaces, api, lastShown, rememberShown, log } = parts;
    const inSideBar = (port: Port) => {
      const controller = new ChatController(port, { ...api, lastShown }, log);
      controller.onShown((chat) => rememberShown(chat.session.id));
      return controller;
    };
    const inTab = (port: Port, sessionId: string | undefined) =>
      new ChatController(port, { ...api, lastShown: () => sessionId ?? lastShown() }, log);
    this.view = this.disposables.add(new ChatViewProvider(extensionUri, inSideBar, surfaces));
    this.editors = this.disposables.add(new ChatEditorPanels(extensionUri, inTab, surfaces));
  }

  /** Does this with the panel used last, shown; with the view in the side bar when there is none. */
  async withPanel(act: (controller: ChatController) => void): Promise<void> {
    const { active } = this.parts.surfaces;
    if (!active?.controller.chat) return this.view.withPanel(act);
    active.reveal();
    act(active.controller);
  }

  /** Shows a session where it is shown already, else in the panel used last. */
  async show(sessionId: string): Promise<void> {
    const { surfaces } = this.parts;
    const shown = surfaces.showing(sessionId)[0];
    const show = (controller: ChatController) => {
      if (controller.chat?.session.id !== sessionId) controller.show(sessionId);
      controller.focusComposer();
    };
    if (!shown) return surfaces.active?.visible ? this.withPanel(show) : this.view.withPanel(show);
    shown.reveal();
    show(shown.controller);
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
