import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ChatController } from '../../chat/chatController';
import type { Log } from '../../engine';

/** A place where a panel is shown: the view in the side bar, or an editor tab. */
export interface ChatSurface {
  readonly controller: ChatController;
  readonly visible: boolean;
  reveal(): void;
  /** A number on the place's icon, with its words; undefined for none. */
  setBadge?(badge: { value: number; tooltip: string } | undefined): void;
}

/** Every panel there is. The active one is what commands of the palette mean. */
export class ChatSurfaces implements Disposable {
  private readonly disposables = new DisposableStore();
  /** The one used last is the last. */
  private readonly surfaces = new Set<ChatSurface>();
  private readonly changes: Emitter<undefined>;

  constructor(log: Log) {
    this.changes = this.disposables.add(
      new Emitter<undefined>((error) => log.error('A panel could not be followed', error)),
    );
  }

  /** The panel used last, of those that are visible if there is one. */
  get active(): ChatSurface | undefined {
    const all = [...this.surfaces];
    return all.findLast(({ visible }) => visible) ?? all.at(-1);
  }

  /** Those that can show a number on their icon. */
  get badged(): ChatSurface[] {
    return [...this.surfaces].filter((one) => 'setBadge' in one);
  }

  get all(): readonly ChatSurface[] {
    return [...this.surfaces];
  }

  /** Told when another panel may be the active one, or it shows another chat. */
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

  /** The person turned to this panel. */
  used(surface: ChatSurface): void {
    if ([...this.surfaces].at(-1) === surface) return;
    this.surfaces.delete(surface);
    this.surfaces.add(surface);
    this.changes.emit(undefined);
  }

  /** A panel was shown or hidden. */
  visibilityChanged(): void {
    this.changes.emit(undefined);
  }

  dispose(): void {
    this.disposables.dispose();
    this.surfaces.clear();
  }
}
