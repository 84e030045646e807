import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import {
  type AgentEvent,
  type AgentHandle,
  type AgentSession,
  type Engine,
  type Log,
  type UserInput,
} from '../../engine';
import { newId } from '../../base/newId';
import type { ChatState, ModelChoice, Welcome } from '../../protocol/chatState';
import type { EventsEnvelope } from '../../protocol/envelope';
import type { ChatSnapshot } from '../../protocol/hostApi';
import type { HostEvent } from '../../protocol/hostEvent';
import type { MessageItem } from '../../protocol/messageItem';
import { reduceChat } from '../../protocol/reduceChat';
import { DeltaBuffer } from './deltaBuffer';
import { EventProjector } from './eventProjector';
import { replayHistory } from './replayHistory';
import { sentItem } from './sentItem';

/** What a person sends: their words, what goes with them, and how they chose it. */
export interface ChatMessage extends UserInput {
  items?: MessageItem[];
}

/** One session as panels see it. It outlives every panel, so a panel may be closed, hidden or reloaded at any time. */
export class LiveChat implements Disposable {
  private readonly projector = new EventProjector();
  private readonly envelopes: Emitter<EventsEnvelope>;
  private readonly buffer = new DeltaBuffer((events) => this.deliver(events));
  /** What the run under way has not taken yet, by the id of the message that it will be. */
  private readonly queue = new Map<string, ChatMessage>();
  private current: ChatState;
  private seq = 0;

  constructor(
    readonly session: AgentSession,
    private readonly engine: Engine,
    model: ModelChoice,
    welcome: Welcome,
    log: Log,
  ) {
    this.envelopes = new Emitter((error) => log.error('A panel could not be told what happened', error));
    this.current = emptyChat(session, model, welcome);
    this.replay();
  }

  get state(): ChatState {
    this.buffer.flush();
    return this.current;
  }

  /** As the panels have been told so far; `state` may be some milliseconds ahead. */
  get told(): ChatState {
    return this.current;
  }

  /** The chat with the number of the last event in it. */
  snapshot(): ChatSnapshot {
    this.buffer.flush();
    return { seq: this.seq, state: this.current };
  }

  onEvents(listener: (envelope: EventsEnvelope) => void): Disposable {
    return this.envelopes.on(listener);
  }

  /** Starts a run, or goes on with one that was cut off when `input` is absent. Throws when one is under way. */
  run(message?: ChatMessage): AgentHandle {
    const handle = this.engine.run({
      sessionId: this.session.id,
      ...(message && { input: withoutItems(message) }),
      namesSession: !this.state.model.scripted,
    });
    return this.follow(handle);
  }

  /** Shows what happens in a run of this session that was started elsewhere. Call it before the run's first event. */
  follow(handle: AgentHandle): AgentHandle {
    handle.subscribe((event) => this.take(event));
    return handle;
  }

  /** The model sees the message with its next request; until then it is queued. Without a run it starts one. */
  steer(message: ChatMessage): void {
    const id = newId('message');
    if (!this.engine.runOf(this.session.id)?.send({ ...withoutItems(message), id })) {
      this.run(message);
      return;
    }
    this.queue.set(id, message);
    this.publish([this.queueChanged()]);
  }

  /** Takes a queued message back; undefined when the model has it already. */
  withdraw(id: string): { text: string; items: MessageItem[] } | undefined {
    const message = this.queue.get(id);
    if (!message || !this.engine.runOf(this.session.id)?.withdraw(id)) return undefined;
    this.queue.delete(id);
    this.publish([this.queueChanged()]);
    return { text: message.text, items: message.items ?? [] };
  }

  /** Stops what the agent does, and goes on at once with what is queued. */
  async sendNow(): Promise<void> {
    if (this.queue.size === 0) return;
    const handle = this.engine.runOf(this.session.id);
    this.cancel();
    // What it had not taken is in the conversation when it has ended.
    await handle?.outcome;
    if (!this.engine.runOf(this.session.id)) this.run();
  }

  /** Sums the conversation up for the model. Throws when a run is under way. */
  compact(): void {
    this.follow(this.engine.run({ sessionId: this.session.id, compacts: true }));
  }

  clearTodos(): void {
    this.session.todos.clear();
    this.publish([{ type: 'todos-changed', todos: [] }]);
  }

  /** Throws a sentence when the message has a picture and the model does not see. */
  async refuseUnseen({ attachments = [] }: ChatMessage): Promise<void> {
    if (!attachments.some(({ type }) => type === 'image')) return;
    const { id, label } = this.state.model;
    if (await this.engine.sees(id, AbortSignal.timeout(5_000))) return;
    throw new Error(`${label} does not see pictures. Take the picture out, or choose a model that sees.`);
  }

  cancel(): void {
    const run = this.state.run;
    if (run) this.publish([{ type: 'run-changed', run: { ...run, state: 'stopping', activity: '' } }]);
    this.engine.runOf(this.session.id)?.cancel();
  }

  /** Ends one command and not the run. Nothing happens when it is over already. */
  stopCall(callId: string): void {
    this.engine.runOf(this.session.id)?.stopCall(callId);
  }

  publish(events: readonly HostEvent[]): void {
    this.buffer.push(events);
  }

  dispose(): void {
    this.buffer.dispose();
    this.envelopes.dispose();
  }

  private take(event: AgentEvent): void {
    const taken = event.type === 'message-taken' && this.queue.delete(event.message.id);
    this.publish([...(taken ? [this.queueChanged()] : []), ...this.projector.project(event)]);
  }

  private queueChanged(): HostEvent {
    const queued = [...this.queue].map(([id, { text, attachments = [] }]) => ({
      ...{ id, text },
      items: attachments.map(sentItem),
    }));
    return { type: 'queue-changed', queued };
  }

  private replay(): void {
    const events = replayHistory(this.session, this.engine).flatMap((event) => this.projector.project(event));
    this.current = events.reduce(reduceChat, this.current);
    const cutOff = this.session.interrupted && !this.engine.runOf(this.session.id);
    if (!cutOff) return;
    const text = 'The last run was cut off, by a reload or because the editor closed. Everything up to there is kept.';
    const after: HostEvent[] = [
      { type: 'run-changed', run: null },
      { type: 'resumable-changed', canResume: true },
      ...openTools(this.current),
      this.projector.notice('info', text, { label: 'Go on', resume: true }),
    ];
    this.current = after.reduce(reduceChat, this.current);
  }

  private deliver(events: HostEvent[]): void {
    const firstSeq = this.seq + 1;
    this.seq += events.length;
    this.current = events.reduce(reduceChat, this.current);
    this.envelopes.emit({ kind: 'events', sessionId: this.session.id, firstSeq, events });
  }
}

/** As the engine keeps it. */
function withoutItems({ text, attachments = [] }: ChatMessage): UserInput {
  return { text, attachments };
}

/** Cards of calls that never came to an end. */
function openTools({ entries }: ChatState): HostEvent[] {
  return entries.flatMap((entry): HostEvent[] =>
    entry.kind === 'tool' && (entry.status === 'preparing' || entry.status === 'running')
      ? [{ type: 'tool-changed', entryId: entry.id, changes: { status: 'cancelled' } }]
      : [],
  );
}

function emptyChat({ id, metadata }: AgentSession, model: ModelChoice, welcome: Welcome): ChatState {
  return {
    sessionId: id,
    title: '',
    entries: [],
    run: null,
    canResume: false,
    approvals: [],
    questions: [],
    queued: [],
    todos: [],
    model,
    approvalMode: metadata.approvalMode,
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null, costUsd: null },
    toReview: [],
    welcome,
  };
}
