import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import {
  type AgentEvent,
  type AgentHandle,
  type AgentSession,
  type Engine,
  type Log,
  type ToolRegistry,
  textOf,
} from '../../engine';
import type { ChatState, ModelChoice, Welcome } from '../../protocol/chatState';
import type { EventsEnvelope } from '../../protocol/envelope';
import type { ChatSnapshot } from '../../protocol/hostApi';
import type { HostEvent } from '../../protocol/hostEvent';
import { reduceChat } from '../../protocol/reduceChat';
import { DeltaBuffer } from './deltaBuffer';
import { EventProjector } from './eventProjector';
import { replayHistory } from './replayHistory';

/** One session as panels see it. It outlives every panel, so a panel may be closed, hidden or reloaded at any time. */
export class LiveChat implements Disposable {
  private readonly projector = new EventProjector();
  private readonly envelopes: Emitter<EventsEnvelope>;
  private readonly buffer = new DeltaBuffer((events) => this.deliver(events));
  /** Texts shown at once that the run has not taken yet. */
  private readonly shownSteering: string[] = [];
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
    this.replay(engine.tools);
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
  run(input?: string): AgentHandle {
    const handle = this.engine.run({
      sessionId: this.session.id,
      ...(input !== undefined && { input }),
      namesSession: !this.state.model.scripted,
    });
    handle.subscribe((event) => this.follow(event));
    return handle;
  }

  /** Shows the message at once; the model sees it with its next request. Without a run it starts one. */
  steer(text: string): void {
    if (!this.engine.runOf(this.session.id)?.send(text)) {
      this.run(text);
      return;
    }
    this.shownSteering.push(text);
    const id = `steering-${this.seq}-${this.shownSteering.length}`;
    this.publish([{ type: 'entry-added', entry: { kind: 'user', id, text, time: Date.now(), steering: true } }]);
  }

  cancel(): void {
    const run = this.state.run;
    if (run) this.publish([{ type: 'run-changed', run: { ...run, state: 'stopping', activity: '' } }]);
    this.engine.runOf(this.session.id)?.cancel();
  }

  publish(events: readonly HostEvent[]): void {
    this.buffer.push(events);
  }

  dispose(): void {
    this.buffer.dispose();
    this.envelopes.dispose();
  }

  private follow(event: AgentEvent): void {
    if (event.type === 'message-taken' && event.message.steering && this.alreadyShown(textOf(event.message))) return;
    this.publish(this.projector.project(event));
  }

  private alreadyShown(text: string): boolean {
    const index = this.shownSteering.indexOf(text);
    if (index < 0) return false;
    this.shownSteering.splice(index, 1);
    return true;
  }

  private replay(tools: ToolRegistry): void {
    const events = replayHistory(this.session, tools).flatMap((event) => this.projector.project(event));
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
    todos: [],
    model,
    approvalMode: metadata.approvalMode,
    toReview: [],
    usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0, contextWindow: null },
    welcome,
  };
}
