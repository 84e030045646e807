import { type Disposable, DisposableStore } from '../../src/base/disposable';
import { Emitter } from '../../src/base/emitter';
import { errorText } from '../../src/base/errorText';
import type { ChatState } from '../../src/protocol/chatState';
import type { EventsEnvelope } from '../../src/protocol/envelope';
import type { ChatSnapshot } from '../../src/protocol/hostApi';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';

/** What happened to the chat: another one is shown, or these events were folded into it. */
export type ChatChange =
  | { kind: 'shown'; state: ChatState }
  | { kind: 'folded'; state: ChatState; events: readonly HostEvent[] }
  | { kind: 'failed' };

/** Gets a snapshot: `chat/open`, with or without an id. */
export type OpenChat = (sessionId: string | undefined) => Promise<ChatSnapshot>;

/**
 * The chat as the host tells it. Events are numbered: what the snapshot holds already is left out, and after a gap, or
 * when the host speaks of another session, the chat is opened again. Events that arrive meanwhile are kept for it.
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
  /** Why the chat could not be opened; null while all is well. What is shown stays usable. */
  failure: string | null = null;
  /** When the host was last heard of this chat, milliseconds since the epoch. */
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

  /** Never rejects: a failure is kept in `failure`. Of several calls the last one counts. */
  async open(sessionId: string | undefined): Promise<void> {
    await this.showResult(() => this.openChat(sessionId));
  }

  /** Shows the session that `ask` gives, holding events until then. Never rejects. */
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
    // Only what follows on: a gap would ask again at once, and a host that fails would be asked for ever.
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
