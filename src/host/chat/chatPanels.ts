import type { Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { approvalHandlers, ChatController, runHandlers } from '../../chat/chatController';
import type { Log } from '../../engine';
import type { Port } from '../../protocol/envelope';
import type { Handlers } from '../../protocol/hostApi';
import type { ContextItem } from '../../protocol/messageItem';
import type { NearbyItem } from '../context/nearbyItem';
import { ChatEditorPanels, type ChatSurface, type ChatSurfaces, ChatViewProvider } from './chatSurfaces';
import {
  branchHandlers,
  type ChatApiParts,
  codeHandlers,
  contextHandlers,
  editorHandlers,
  reviewHandlers,
  sessionHandlers,
  setupHandlers,
} from './panelHandlers';

interface ChatPanelsParts {
  extensionUri: Uri;
  surfaces: ChatSurfaces;
  api: Omit<ChatApiParts, 'attach' | 'lastShown' | 'fromPanel'>;
  /** The session last shown in the side bar, remembered across reloads. */
  lastShown: () => string | undefined;
  rememberShown: (sessionId: string) => void;
  log: Log;
}

/** Creates the panels and finds the right one to show something in. */
export class ChatPanels implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly view: ChatViewProvider;
  readonly editors: ChatEditorPanels;

  private nearby: Promise<NearbyItem> | undefined;

  /** The panel that started the command currently running. One object per command: the same panel may start the next one early. */
  private begun: { readonly panel: ChatSurface | undefined } | undefined;

  constructor(private readonly parts: ChatPanelsParts) {
    const { extensionUri, surfaces, lastShown, rememberShown, log } = parts;
    const api = { ...parts.api, fromPanel: (act: () => PromiseLike<unknown>) => this.fromPanel(act) };
    const made = (controller: ChatController) => {
      controller.onShown(() => {
        this.offerNearby(controller).catch((error: unknown) => log.error('The open file was not offered', error));
      });
      return controller;
    };
    const inSideBar = (port: Port) => {
      // Opens the chat while the panel's page loads. Errors are ignored here, because the panel requests the chat itself and gets
      // them then.
      api.chats.openBest(lastShown()).catch(() => undefined);
      const controller = new ChatController(port, (attach) => chatApi({ ...api, lastShown, attach }), log);
      controller.onShown((chat) => rememberShown(chat.session.id));
      return made(controller);
    };
    const inTab = (port: Port, sessionId: string | undefined) =>
      made(
        new ChatController(
          port,
          (attach) => chatApi({ ...api, lastShown: () => sessionId ?? lastShown(), attach }),
          log,
        ),
      );
    this.view = this.disposables.add(new ChatViewProvider(extensionUri, inSideBar, surfaces));
    this.editors = this.disposables.add(new ChatEditorPanels(extensionUri, inTab, surfaces));
  }

  /** Reveals the panel used last and calls `act` with it. Without one, uses the view in the side bar. */
  async withPanel(act: (controller: ChatController) => void): Promise<void> {
    const { active } = this.parts.surfaces;
    if (!active?.controller.chat) return this.view.withPanel(act);
    active.reveal();
    act(active.controller);
  }

  /** Shows a session where it is already shown, otherwise in the panel used last. */
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

  /** Answers the pending request of the panel used last, for a key binding of the editor. If that panel is hidden, reveals it instead. */
  async answerWaiting(answer: 'once' | 'reject'): Promise<void> {
    const { active } = this.parts.surfaces;
    if (active?.visible && active.controller.chat) active.controller.answerWaiting(answer);
    else await this.withPanel((controller) => controller.goOn());
  }

  /**
   * Returns focus to the panel that started the current command once its pickers and dialogs are closed, because the editor would
   * move it to the code. No-op for a command started elsewhere.
   */
  backToPanel(): void {
    const panel = this.begun?.panel;
    panel?.reveal();
    panel?.controller.focusComposer();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** A new or reloaded panel does not know which file is open. */
  private async offerNearby(controller: ChatController): Promise<void> {
    this.nearby ??= import('../context/nearbyItem').then(({ NearbyItem }) => {
      const tell = (item: ContextItem | null) => {
        for (const one of this.parts.surfaces.all) one.controller.offerNearby(item);
      };
      return this.disposables.add(new NearbyItem(tell));
    });
    const { current } = await this.nearby;
    // It may have been closed in the meantime.
    if (this.parts.surfaces.all.some((one) => one.controller === controller)) controller.offerNearby(current);
  }

  private async fromPanel(act: () => PromiseLike<unknown>): Promise<void> {
    const begun = { panel: this.parts.surfaces.active };
    this.begun = begun;
    try {
      await act();
    } finally {
      if (this.begun === begun) this.begun = undefined;
    }
  }
}

/** The handlers of all panel requests. */
function chatApi(parts: ChatApiParts): Handlers {
  return {
    ...sessionHandlers(parts),
    ...runHandlers(parts),
    ...setupHandlers(parts),
    ...approvalHandlers(parts),
    ...editorHandlers(parts),
    ...branchHandlers(parts),
    ...codeHandlers(parts),
    ...contextHandlers(parts),
    ...reviewHandlers(parts),
  } satisfies Handlers;
}
