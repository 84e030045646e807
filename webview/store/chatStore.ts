import { type Disposable, DisposableStore, Emitter } from '../../src/base/disposable';
import { errorText } from '../../src/base/errors';
import type { ChatState } from '../../src/protocol/chatState';
import type { EventsEnvelope } from '../../src/protocol/envelope';
import type { ChatSnapshot } from '../../src/protocol/hostApi';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';

/** A change of the chat: another one is shown, or events were folded into it. */
export type ChatChange =
  | { kind: 'shown'; state: ChatState }
  | { kind: 'folded'; state: ChatState; events: readonly HostEvent[] }
  | { kind: 'failed' };

/** Fetches a snapshot: `chat/open`, with or without an id. */
type OpenChat = (sessionId: string | undefined) => Promise<ChatSnapshot>;

/**
 * The chat as reported by the host. Events are numbered: those already in the snapshot are skipped, and after a gap, or events of
 * another session, the chat is opened again. Events that arrive in the meantime are held back until then.
 */
export class ChatStore implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes: Emitter<ChatChange>;
  private seq = 0;
  private opening = 0;
  private held: EventsEnvelope[] = [];
  private isOpening = false;

  /** Null until the first snapshot. */
  state: ChatState | null = null;
  /** Why the chat could not be opened; null if it could. The previous chat stays usable. */
  failure: string | null = null;
  /** When the host last sent something about this chat, in milliseconds since the epoch. */
  heardAt = Date.now();

  constructor(
    private readonly openChat: OpenChat,
    onListenerError: (error: unknown) => void,
  ) {
    this.changes = this.disposables.add(new Emitter<ChatChange>(onListenerError));
  }

  onChange(listener: (change: ChatChange) => void): Disposable {
    return this.changes.on(listener);
  }

  /** Opens a session. Never rejects: errors are stored in `failure`. If called repeatedly, the last call wins. */
  async open(sessionId: string | undefined): Promise<void> {
    await this.showResult(() => this.openChat(sessionId));
  }

  /** Shows the session returned by `ask`, holding back events until then. Never rejects. */
  async showResult(ask: () => Promise<ChatSnapshot>): Promise<void> {
    const turn = ++this.opening;
    this.isOpening = true;
    try {
      const snapshot = await ask();
      if (turn === this.opening) this.show(snapshot);
    } catch (error) {
      if (turn === this.opening) this.fail(errorText(error));
    }
  }

  /**
   * Resolves to the chat that is shown once none is being opened any more: what the user does in between is meant for that one.
   * Null if it could not be opened.
   */
  shown(): Promise<ChatState | null> {
    if (!this.isOpening) return Promise.resolve(this.state);
    return new Promise((resolve) => {
      const listening = this.changes.on(({ kind }) => {
        listening.dispose();
        resolve(kind === 'failed' ? null : this.state);
      });
    });
  }

  receive(envelope: EventsEnvelope): void {
    if (this.isOpening) {
      this.held.push(envelope);
      return;
    }
    const { state } = this;
    if (!state) return;
    if (envelope.sessionId !== state.sessionId || envelope.firstSeq > this.seq + 1) {
      void this.open(state.sessionId);
      return;
    }
    this.fold(state, envelope);
  }

  dispose(): void {
    this.opening++;
    this.disposables.dispose();
  }

  private show(snapshot: ChatSnapshot): void {
    this.isOpening = false;
    this.failure = null;
    this.seq = snapshot.seq;
    this.state = snapshot.state;
    this.heardAt = Date.now();
    this.changes.emit({ kind: 'shown', state: snapshot.state });
    const held = this.held.filter((one) => one.sessionId === snapshot.state.sessionId);
    this.held = [];
    for (const envelope of held) this.receive(envelope);
  }

  private fail(reason: string): void {
    this.isOpening = false;
    this.failure = reason;
    const held = this.held;
    this.held = [];
    this.changes.emit({ kind: 'failed' });
    // Only contiguous events: a gap would trigger another request at once, endlessly if the host keeps failing.
    for (const envelope of held) {
      const { state } = this;
      if (state?.sessionId === envelope.sessionId && envelope.firstSeq <= this.seq + 1) this.fold(state, envelope);
    }
  }

  private fold(before: ChatState, { firstSeq, events }: EventsEnvelope): void {
    const fresh = events.slice(Math.max(0, this.seq + 1 - firstSeq));
    if (fresh.length === 0) return;
    this.seq += fresh.length;
    this.heardAt = Date.now();
    this.state = fresh.reduce(reduceChat, before);
    this.changes.emit({ kind: 'folded', state: this.state, events: fresh });
  }
}
