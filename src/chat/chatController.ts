import { type Disposable, DisposableStore } from '../base/disposable';
import type { Log } from '../engine';
import { Emitter } from '../base/emitter';
import type { ChatSnapshot, Handlers } from '../protocol/hostApi';
import type { ContextItem } from '../protocol/messageItem';
import { HostServer } from '../protocol/hostServer';
import type { Port } from '../protocol/envelope';
import type { LiveChat } from './liveChat';

/** What answers a panel's requests; `attach` makes that panel follow a chat from the snapshot on. */
export type AnswersFor = (attach: (chat: LiveChat) => ChatSnapshot) => Handlers;

/** One panel: which chat it shows, and the wire to it. */
export class ChatController implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly server: HostServer;
  private readonly shown: Emitter<LiveChat>;
  private readonly used: Emitter<undefined>;
  private listening: Disposable | undefined;
  private current: LiveChat | undefined;

  constructor(port: Port, answersFor: AnswersFor, log: Log) {
    this.shown = this.disposables.add(
      new Emitter<LiveChat>((error) => log.error('A listener of a panel threw', error)),
    );
    this.used = this.disposables.add(
      new Emitter<undefined>((error) => log.error('A listener of a panel threw', error)),
    );
    // Before the server listens, so that a command which the panel asks for means this panel.
    this.disposables.add(port.onMessage(() => this.used.emit(undefined)));
    const handlers = answersFor((chat) => this.attach(chat));
    this.server = this.disposables.add(
      new HostServer(port, handlers, (method, error) => log.error(`The panel's request ${method} failed`, error)),
    );
  }

  /** The chat that the panel shows; undefined until it has asked for one. */
  get chat(): LiveChat | undefined {
    return this.current;
  }

  onShown(listener: (chat: LiveChat) => void): Disposable {
    return this.shown.on(listener);
  }

  /** Told when the panel asks for something, which it does when a person uses it. */
  onUsed(listener: () => void): Disposable {
    return this.used.on(listener);
  }

  /** Makes the panel show another session. */
  show(sessionId: string): void {
    this.server.post({ kind: 'show-session', sessionId });
  }

  focusComposer(): void {
    this.server.post({ kind: 'focus-composer' });
  }

  /** Answers what waits as a key in the panel does: only what the person can have seen. */
  answerWaiting(answer: 'once' | 'reject'): void {
    this.server.post({ kind: 'answer-waiting', answer });
  }

  /** Brings the person to the next thing that waits, else to the composer. */
  goOn(): void {
    this.server.post({ kind: 'go-on' });
  }

  /** Opens a part of the panel that is closed by itself. */
  showPart(part: 'find' | 'sessions'): void {
    this.server.post({ kind: 'show-part', part });
  }

  /** Sends these along with the message that is being typed, and puts the keyboard focus there. */
  addItems(items: ContextItem[]): void {
    this.server.post({ kind: 'add-items', items });
  }

  /** Offers this to go with the message that is being typed; it does not without a click. */
  offerNearby(item: ContextItem | null): void {
    this.server.post({ kind: 'nearby', item });
  }

  dispose(): void {
    this.listening?.dispose();
    this.disposables.dispose();
  }

  private attach(chat: LiveChat): ChatSnapshot {
    this.listening?.dispose();
    // The snapshot first: it flushes what waits, so that this panel gets each event either in it or after it.
    const snapshot = chat.snapshot();
    const listening = new DisposableStore();
    listening.add(chat.onEvents((envelope) => this.server.post(envelope)));
    listening.add(chat.followOthers());
    this.listening = listening;
    this.current = chat;
    this.shown.emit(chat);
    return snapshot;
  }
}
