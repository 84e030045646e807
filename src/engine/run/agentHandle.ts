import { AsyncQueue, Deferred } from '../../base/async';
import type { Disposable, Emitter } from '../../base/disposable';
import { newId } from '../../base/newId';
import { EngineError } from '../engineError';
import type { AgentEvent, AgentState } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { inputSchema, type Message, type UserInput } from '../messages/message';
import type { RunMetadata } from '../tools/hiddenContext';
import { type CallStops, type Interrupts, ShutDown } from './interrupts';
import type { SentResult, SentResults } from './sentResults';

/** Options for interrupting a turn. */
export interface Interrupting {
  /** Given to the model in the results of the stopped calls, and shown in a notice. */
  reason?: string;
  /** A message with which the run continues at once, after messages that are already waiting. */
  message?: string | UserInput;
}

/** A running agent, as seen by the code that started it. */
export interface AgentHandle {
  readonly id: string;
  readonly sessionId: string;
  readonly state: AgentState;
  /** The run of the agent that started this one; null if the user or a program did. */
  readonly parent: AgentHandle | null;
  /** The runs of the agents it has started so far, in order. */
  readonly children: readonly AgentHandle[];
  /** Resolves after the last event. Never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** Ends one call but not the run; the model is told. Returns false if no such call is running. */
  stopCall(callId: string): boolean;
  /**
   * Provides the result of a call to a tool with `answersLater`; from then on it is like any other result. Throws EngineError
   * `not-found` if no such call is in progress in this very run, `invalid-state` if the call already has a result or was stopped,
   * and `invalid-input` if the result is not valid.
   */
  sendToolResult(callId: string, result: SentResult): void;
  /**
   * Sends the run a message, which the model sees with its next request. Returns false if the run is over, or so close to its end
   * that it takes no more messages; after `outcome`, another run can be started with the message. Throws EngineError
   * `invalid-input` if it is not a message.
   */
  send(input: string | UserInput): boolean;
  /** Withdraws a message by the ID it was sent with. Returns false if the model already has it. */
  withdraw(id: string): boolean;
  /**
   * Stops what the run is doing but not the run: the model's answer (its beginning is kept), calls (their results say that they
   * were stopped), and agents it started. The run then waits in the state `idle` for a message, and continues with it; it
   * continues at once with messages already waiting and with `message`. While it waits, `cancel` works as usual, its time limit
   * runs, and another interruption has no effect. Returns false if nothing is stopped or sent: the run is over, as close to its
   * end as for `send`, or compacting, or its agent is a program.
   */
  interrupt(how?: Interrupting): boolean;
  /** Ends the run with the outcome `cancelled`, and the processes it started. */
  cancel(): void;
  /** Ends the run because the process is exiting. What it was waiting for stays open in its session. */
  shutDown(): void;
  /** A listener that throws never stops the run. */
  subscribe(listener: (event: AgentEvent) => void): Disposable;
  /**
   * Returns what this agent has done since its last answer was stored in the session, for subscribers that join in the middle of
   * a run. Excludes the output of commands; consecutive pieces of text are merged.
   */
  unkept(): readonly AgentEvent[];
  /**
   * Returns the current conversation of its session, including earlier runs. Rejects with EngineError `not-found` if the session
   * is gone.
   */
  history(): Promise<readonly Message[]>;
  /** Returns the engine's and session's metadata that tools can see but models cannot. Rejects as `history` does. */
  metadata(): Promise<RunMetadata>;
  /** Yields all events from now on, ending with `run-finished`. */
  events(): AsyncIterable<AgentEvent>;
}

/** Events that the session stores as they occur, and the output of commands, which may be long. */
const KEPT: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  ...(['run-started', 'message-taken', 'todo-changed', 'agent-spawned', 'agent-finished'] as const),
  ...(['session-renamed', 'session-compressed', 'auto-continued', 'skill-loaded', 'skill-unloaded'] as const),
  ...(['tool-progress', 'checkpoint-taken'] as const),
]);

/** What a run's session stores. */
export interface KeptOfRun {
  history: readonly Message[];
  metadata: RunMetadata;
}

/** The parts of a run that its handle uses. */
export interface HandledRun {
  readonly id: string;
  readonly request: { readonly sessionId: string };
  readonly emitter: Emitter<AgentEvent>;
  readonly steering: Steering;
  readonly interrupts: Interrupts;
  readonly stops: CallStops;
  readonly sent: SentResults;
  readonly abort: AbortController;
}

export class RunHandle implements AgentHandle {
  readonly id: string;
  readonly sessionId: string;
  readonly parent: AgentHandle | null;
  readonly children: AgentHandle[] = [];
  readonly outcome: Promise<RunOutcome>;
  private current: AgentState = 'idle';
  private over = false;
  private recent: AgentEvent[] = [];

  constructor(
    private readonly parts: HandledRun,
    parent: RunHandle | null,
    private readonly kept: () => Promise<KeptOfRun>,
    work: () => Promise<RunOutcome>,
  ) {
    this.id = parts.id;
    this.sessionId = parts.request.sessionId;
    this.parent = parent;
    parent?.children.push(this);
    parts.emitter.on((event) => this.follow(event));
    this.outcome = work();
  }

  get state(): AgentState {
    return this.current;
  }

  send(input: string | UserInput): boolean {
    checkInput(input);
    return !this.over && this.parts.steering.send(input);
  }

  stopCall(callId: string): boolean {
    return this.parts.stops.stop(callId);
  }

  sendToolResult(callId: string, result: SentResult): void {
    this.parts.sent.send(callId, result);
  }

  withdraw(id: string): boolean {
    return this.parts.steering.withdraw(id);
  }

  interrupt({ reason, message }: Interrupting = {}): boolean {
    const { interrupts, steering } = this.parts;
    if (message !== undefined) checkInput(message);
    if (this.over || interrupts.isClosed) return false;
    if (message !== undefined && !steering.send(message)) return false;
    interrupts.interrupt(reason);
    return true;
  }

  cancel(): void {
    this.parts.abort.abort();
  }

  shutDown(): void {
    this.parts.abort.abort(new ShutDown());
  }

  subscribe(listener: (event: AgentEvent) => void): Disposable {
    return this.parts.emitter.on(listener);
  }

  events(): AsyncIterable<AgentEvent> {
    const queue = new AsyncQueue<AgentEvent>(() => listening.dispose());
    const listening = this.subscribe((event) => {
      queue.push(event);
      if (event.type !== 'run-finished' || event.runId !== this.id) return;
      queue.end();
      listening.dispose();
    });
    if (this.over) queue.end();
    return queue;
  }

  unkept(): readonly AgentEvent[] {
    return this.recent;
  }

  async history(): Promise<readonly Message[]> {
    return (await this.kept()).history;
  }

  async metadata(): Promise<RunMetadata> {
    return (await this.kept()).metadata;
  }

  private follow(event: AgentEvent): void {
    // The stream also contains the events of agents it started.
    if (event.runId !== this.id) return;
    this.remember(event);
    if (event.type === 'state-changed') this.current = event.state;
    if (event.type !== 'run-finished') return;
    this.over = true;
    this.current = event.outcome.kind === 'failed' ? 'failed' : 'done';
  }

  private remember(event: AgentEvent): void {
    const last = this.recent.at(-1);
    if (event.type === 'reply-finished' || event.type === 'run-finished') this.recent = [];
    else if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      if (last?.type !== event.type) this.recent.push(event);
      else this.recent[this.recent.length - 1] = { ...last, text: last.text + event.text };
    } else if (!KEPT.has(event.type) && !('aside' in event)) this.recent.push(event);
  }
}

/** Messages are stored in the session, where anything else would be a line that cannot be read back. */
function checkInput(input: unknown): void {
  if (inputSchema.safeParse(input).success) return;
  throw new EngineError('invalid-input', 'A message is a text, or { text, attachments }. Send one of them.');
}

/** Queues messages that arrive during a run until the next request to the model. */
export class Steering {
  private inputs: (UserInput & { id: string })[] = [];
  private arrival = new Deferred<void>();
  private closed = false;

  /** Returns false if no more messages are accepted. */
  send(input: string | UserInput): boolean {
    if (this.closed) return false;
    const given = typeof input === 'string' ? { text: input } : input;
    this.inputs.push({ ...given, id: given.id ?? newId('message') });
    this.arrival.resolve();
    this.arrival = new Deferred();
    return true;
  }

  /** Resolves when the next message arrives. */
  next(): Promise<void> {
    return this.arrival.promise;
  }

  get waiting(): boolean {
    return this.inputs.length > 0;
  }

  /** Returns false if it was already taken. */
  withdraw(id: string): boolean {
    const before = this.inputs.length;
    this.inputs = this.inputs.filter((one) => one.id !== id);
    return this.inputs.length < before;
  }

  /** Takes the oldest message, if any. */
  takeOne(): UserInput | undefined {
    return this.inputs.shift();
  }

  take(): UserInput[] {
    const taken = this.inputs;
    this.inputs = [];
    return taken;
  }

  /** Takes what is left and accepts no more messages, so that none arrives too late to be taken. */
  close(): UserInput[] {
    this.closed = true;
    return this.take();
  }

  /** Accepts no more messages, unless some are waiting; then returns false. */
  closeIfEmpty(): boolean {
    if (!this.waiting) this.closed = true;
    return this.closed;
  }
}
