import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ChatController } from '../../chat/chatController';
import type { Log } from '../../engine';

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
