import { isDeepStrictEqual } from 'node:util';
import { Mutex } from '../base/async';
import { type Disposable, Emitter } from '../base/disposable';
import { errorText } from '../base/errors';
import { t } from '../base/l10n';
import { newId } from '../base/newId';
import {
  type AgentEvent,
  type AgentHandle,
  type AgentSession,
  type ApprovalMode,
  type Attachment,
  type Engine,
  type Log,
  looksTyped,
  type RunRequest,
} from '../engine';
import { type ChatState, emptyChat, type ModelChoice, type Welcome } from '../protocol/chatState';
import type { EventsEnvelope } from '../protocol/envelope';
import type { ChatSnapshot } from '../protocol/hostApi';
import type { HostEvent } from '../protocol/hostEvent';
import type { MessageItem } from '../protocol/messageItem';
import { reduceChat } from '../protocol/reduceChat';
import { type AnsweringAgent, NOT_KNOWN, setupOf } from './chatSetup';
import { DeltaBuffer } from './deltaBuffer';
import { EventProjector } from './eventProjector';
import { type ChatMessage, inputOf, type MessageQueue, readMessage, type SentMessage } from './messageQueue';
import { cutOffText, openTools } from './notices';
import type { replayHistory } from './replayHistory';
import { calledTool } from './toolLooks';

/** Initial state of a chat that is not part of its session. */
export interface ChatBeginning {
  model: ModelChoice;
  welcome: Welcome;
  /** Whether another window is running in the session. */
  heldElsewhere: boolean;
  /** Messages that were sent but not picked up by a run, including from before a reload. */
  queue: MessageQueue;
  /** The approval mode in effect. */
  approvalMode: () => ApprovalMode;
  /** Reads a message's attachments. Rejects with a message that names what could not be read. */
  read: (items: readonly MessageItem[]) => Promise<Attachment[]>;
  /** Replays the stored session. Injected because it is loaded only with the first chat. */
  replay: typeof replayHistory;
  /** Called after another window's changes to the session have been loaded. */
  onCaughtUp: () => void;
}

/** One session as shown by panels. It outlives every panel, so a panel may be closed, hidden, or reloaded at any time. */
export class LiveChat implements Disposable {
  private readonly projector: EventProjector;
  private readonly envelopes: Emitter<EventsEnvelope>;
  private readonly buffer = new DeltaBuffer((events) => this.deliver(events));
  private readonly queue: MessageQueue;
  private readonly read: ChatBeginning['read'];
  private readonly replayHistory: ChatBeginning['replay'];
  private readonly approvalMode: ChatBeginning['approvalMode'];
  private readonly sending = new Mutex();
  private current: ChatState;
  private seq = 0;
  private answering = NOT_KNOWN;
  private followed: AgentHandle | undefined;
  /** The message that the run was started with, until it is in the session. */
  private opening: SentMessage | undefined;
  private readonly catchingUp: Disposable;

  constructor(
    readonly session: AgentSession,
    private readonly engine: Engine,
    { model, welcome, heldElsewhere, queue, read, replay, onCaughtUp, approvalMode }: ChatBeginning,
    private readonly log: Log,
  ) {
    this.projector = new EventProjector((tool) => calledTool(tool, engine.tools)?.traits);
    this.queue = queue;
    this.read = read;
    this.replayHistory = replay;
    this.approvalMode = approvalMode;
    this.envelopes = new Emitter((error) => log.error('An event could not be sent to the panel', error));
    this.current = emptyChat({
      sessionId: session.id,
      setup: setupOf(session, NOT_KNOWN),
      model,
      approvalMode: approvalMode(),
      welcome,
    });
    this.replay(heldElsewhere);
    this.current = reduceChat(this.current, queue.changed());
    this.followRunning();
    for (const { id } of queue.all.filter(({ unread }) => unread)) void this.readKept(id);
    this.catchingUp = session.onCaughtUp((from) => {
      this.caughtUp(from);
      onCaughtUp();
    });
  }

  get state(): ChatState {
    this.buffer.flush();
    return this.current;
  }

  /** The state already sent to the panels; `state` may be a few milliseconds ahead. */
  get told(): ChatState {
    return this.current;
  }

  /** The current state with the sequence number of the last event it includes. */
  snapshot(): ChatSnapshot {
    this.buffer.flush();
    return { seq: this.seq, state: this.current };
  }

  /** Shows what other windows write to the session as soon as their runs have ended, until disposed. */
  followOthers(): Disposable {
    const look = () => {
      // A run catches up on its own.
      if (this.engine.runOf(this.session.id)) return;
      this.session.catchUp().catch((error: unknown) => this.log.error('The session could not be reloaded', error));
    };
    look();
    return this.session.watch(look);
  }

  onEvents(listener: (envelope: EventsEnvelope) => void): Disposable {
    return this.envelopes.on(listener);
  }

  /** Starts a run with the queued messages followed by `message`. With neither, resumes an interrupted run. Throws if a run is active. */
  run(message?: ChatMessage): AgentHandle {
    const [opening, ...others] = [...this.queue.ready, ...(message ? [{ ...message, id: newId('message') }] : [])];
    const handle = this.engine.run({
      sessionId: this.session.id,
      ...(opening && { input: inputOf(opening), ...opening.run }),
      ...this.asked(),
      // The queue keeps what the run could not take, so that the user sees it and can withdraw it.
      callerKeepsInput: true,
    });
    this.opening = opening;
    this.follow(handle);
    for (const one of others) this.hand(one, handle);
    return handle;
  }

  /** Continues the run of a graph; queued messages wait until it ends. Throws if a run is active. */
  runGraph(graphRun: NonNullable<RunRequest['graphRun']>): void {
    const handle = this.follow(this.engine.run({ sessionId: this.session.id, graphRun, ...this.asked() }));
    for (const one of this.queue.ready) this.hand(one, handle);
  }

  /** Shows the events of a run that was started elsewhere. Must be called before the run's first event. */
  follow(handle: AgentHandle): AgentHandle {
    if (this.followed === handle) return handle;
    this.followed = handle;
    handle.subscribe((event) => this.take(event));
    return handle;
  }

  /** Follows a run that was started elsewhere, such as by another agent, from its first event. */
  join(handle: AgentHandle, first: AgentEvent): void {
    if (this.followed === handle) return;
    this.follow(handle);
    this.take(first);
  }

  /**
   * Queues a message at once, reads its attachments, then hands it to the active run or starts one, in the order of sending.
   * Resolves to the run, or to undefined if the message was withdrawn by then. If the message cannot be sent, rejects and removes
   * it from the queue.
   */
  async send({ text, items, attachments }: ChatMessage & { items: MessageItem[] }): Promise<AgentHandle | undefined> {
    const id = newId('message');
    const isRead = items.length > 0 || looksTyped(text);
    this.queue.add({ id, text, items, ...(attachments && { attachments }), ...(isRead && { unread: true }) });
    if (isRead) this.publish([this.queue.changed()]);
    try {
      return await this.inTurn(async () => {
        await this.prepare(id);
        const message = this.queue.get(id);
        if (!message) return undefined;
        const handle = this.engine.runOf(this.session.id);
        // A run that started in the meantime has already taken the queued messages.
        const isHanded = this.queue.isHanded(id) || this.opening?.id === id;
        return handle && (isHanded || this.hand(message, handle)) ? handle : this.run();
      });
    } catch (error) {
      if (this.queue.delete(id)) this.publish([this.queue.changed()]);
      throw error;
    }
  }

  /** Sends the message with the model's next request; it is queued until then. Starts a run if none is active. */
  steer(message: ChatMessage): void {
    const handle = this.engine.runOf(this.session.id);
    if (!handle) {
      this.run(message);
      return;
    }
    const sent = { ...message, id: newId('message') };
    if (!this.hand(sent, handle)) this.runAfter(handle, sent);
  }

  /** Withdraws a queued message. Returns undefined if the model already has it. A run that was about to start with it is canceled. */
  withdraw(id: string): { text: string; items: MessageItem[] } | undefined {
    const message = this.queue.get(id);
    const handle = this.engine.runOf(this.session.id);
    if (!message || (handle && this.queue.isHanded(id) && !handle.withdraw(id))) return undefined;
    if (id === this.opening?.id) {
      this.opening = undefined;
      handle?.cancel();
    }
    this.queue.delete(id);
    this.publish([this.queue.changed()]);
    return { text: message.text, items: message.items ?? [] };
  }

  /** Stops the agent and continues at once with the queued messages. Throws while another window is running in the session. */
  async sendNow(): Promise<void> {
    if (this.queue.all.some(({ unread }) => unread)) await this.inTurn(() => Promise.resolve());
    if (this.queue.ready.length === 0) return;
    const handle = this.engine.runOf(this.session.id);
    if (handle?.state === 'waiting-for-session')
      throw new Error(t('This session is running in another window. Stop it there, or wait until it ends.'));
    // Do not stop a run that is about to take its first message.
    if (handle && this.opening) return;
    if (handle) this.cancel();
    // Once it has ended, messages that it never took are part of the conversation.
    await handle?.outcome;
    if (!this.engine.runOf(this.session.id)) this.run();
  }

  /** Summarizes the conversation for the model. Throws if a run is active. */
  compact(): void {
    this.follow(this.engine.run({ sessionId: this.session.id, compacts: true }));
  }

  /** Publishes the session's current setup. Without `agent`, what is known about the agent is kept. */
  setupChanged(agent: AnsweringAgent = this.answering): void {
    this.answering = agent;
    const setup = setupOf(this.session, agent);
    if (!isDeepStrictEqual(setup, this.state.setup)) this.publish([{ type: 'setup-changed', setup }]);
  }

  approvalModeChanged(): void {
    this.publish([{ type: 'approval-mode-changed', approvalMode: this.approvalMode() }]);
  }

  /** Rejects with EngineError `invalid-state` while another window is running in the session. */
  async clearTodos(): Promise<void> {
    await this.session.clearTodos();
    this.publish([{ type: 'todos-changed', todos: [] }]);
  }

  cancel(): void {
    const run = this.state.run;
    if (run) this.publish([{ type: 'run-changed', run: { ...run, state: 'stopping', activity: '' } }]);
    this.engine.runOf(this.session.id)?.cancel();
  }

  /** Stops a single command without ending the run. No-op if it is already over. */
  stopCall(callId: string): void {
    this.engine.runOf(this.session.id)?.stopCall(callId);
  }

  publish(events: readonly HostEvent[]): void {
    this.buffer.push(events);
  }

  dispose(): void {
    this.catchingUp.dispose();
    this.buffer.dispose();
    this.envelopes.dispose();
  }

  /** A new default must not change which model answers in a session that was used, except after the tour. */
  private asked(): Pick<RunRequest, 'namesSession' | 'keepsModel'> {
    const isReal = !this.state.model.scripted;
    return { namesSession: isReal, keepsModel: isReal };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.sending.take(work, new AbortController().signal);
  }

  /** Reads a message's attachments unless it was withdrawn. */
  private async prepare(id: string): Promise<void> {
    const message = this.queue.get(id);
    if (message?.unread !== true) return;
    const { session, engine, read } = this;
    const warn = (words: string) => this.publish([this.projector.notice('warning', words, null)]);
    const parts = { session, engine, read, model: this.state.model, warn, onSkillLoaded: () => this.setupChanged() };
    if (this.queue.fill(id, await readMessage(message, parts))) this.publish([this.queue.changed()]);
  }

  /** Reads a message whose window closed while reading it. It stays in the queue; if it cannot be read, the user can edit it there. */
  private async readKept(id: string): Promise<void> {
    try {
      await this.inTurn(() => this.prepare(id));
    } catch (error) {
      const words = t('A queued message cannot be sent as it is. {0}', errorText(error));
      this.publish([this.projector.notice('warning', words, null)]);
    }
  }

  /** Hands the run a message, which stays queued until the run takes it. Returns false if the run is over. */
  private hand(message: SentMessage, handle: AgentHandle): boolean {
    if (!handle.send(inputOf(message))) return false;
    this.queue.add(message);
    this.queue.hand(message);
    this.publish([this.queue.changed()]);
    return true;
  }

  /** The run is about to end and takes no more messages, so the message is queued and starts the next run. */
  private runAfter({ outcome }: AgentHandle, message: SentMessage): void {
    this.queue.add(message);
    this.publish([this.queue.changed()]);
    void outcome.then(() => {
      // It may have been withdrawn or started by hand.
      if (this.queue.get(message.id) && !this.engine.runOf(this.session.id)) this.run();
    });
  }

  take(event: AgentEvent): void {
    const taken = event.type === 'message-taken' && this.queue.delete(event.message.id);
    const isOwn = event.sessionId === this.session.id;
    if (isOwn) this.followOpening(event);
    const shown = isOwn ? this.projector.project(event) : this.projector.projectAgent(event);
    if (taken || shown.length > 0) this.publish([...(taken ? [this.queue.changed()] : []), ...shown]);
    if (isOwn && (event.type === 'skill-loaded' || event.type === 'skill-unloaded')) this.setupChanged();
  }

  /** Queues the message that starts the run while another window is running, or if the run never got to it. */
  private followOpening(event: AgentEvent): void {
    const isOver = event.type === 'run-finished';
    if (isOver) this.queue.leaveAll();
    if (event.type === 'message-taken') this.opening = undefined;
    const waits = event.type === 'state-changed' && event.state === 'waiting-for-session';
    if (!this.opening || !(waits || isOver)) return;
    this.queue.add(this.opening);
    this.publish([this.queue.changed()]);
    if (isOver) this.opening = undefined;
  }

  /** Follows an active run that was started without this chat, such as by another agent. */
  private followRunning(): void {
    const handle = this.engine.runOf(this.session.id);
    if (!handle) return;
    const events = handle.unkept().flatMap((event) => this.projector.project(event));
    this.current = events.reduce(reduceChat, this.current);
    this.follow(handle);
  }

  /** Chat events for the session's entries, starting at index `from`. */
  private replayed(from: number): HostEvent[] {
    return this.replayHistory(this.session, this.engine, from).flatMap((event) => this.projector.project(event));
  }

  private replay(heldElsewhere: boolean): void {
    this.current = this.replayed(0).reduce(reduceChat, this.current);
    this.current = this.cutOff(heldElsewhere).reduce(reduceChat, this.current);
  }

  private caughtUp(from: number): void {
    const { messages, history } = this.session;
    // Two windows of one workspace share the stored queue.
    const taken = messages.filter(({ id }) => this.queue.delete(id));
    if (taken.length > 0) this.publish([this.queue.changed()]);
    this.publish(this.replayed(from));
    this.approvalModeChanged();
    if (from < history.length && this.state.run) this.publish(this.cutOff(false));
  }

  /** Chat events for a run that never finished and is not running in this window. */
  private cutOff(heldElsewhere: boolean): HostEvent[] {
    if (!this.session.interrupted || this.engine.runOf(this.session.id)) return [];
    const words = cutOffText(heldElsewhere);
    const notice = this.projector.notice('info', words, heldElsewhere ? null : { label: t('Continue'), resume: true });
    return [
      { type: 'run-changed', run: null },
      { type: 'resumable-changed', canResume: !heldElsewhere },
      ...openTools(this.current),
      notice,
    ];
  }

  private deliver(events: HostEvent[]): void {
    const firstSeq = this.seq + 1;
    this.seq += events.length;
    this.current = events.reduce(reduceChat, this.current);
    this.envelopes.emit({ kind: 'events', sessionId: this.session.id, firstSeq, events });
  }
}
