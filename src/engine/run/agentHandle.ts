import { AsyncQueue } from '../../base/asyncQueue';
import type { Disposable } from '../../base/disposable';
import type { Emitter } from '../../base/emitter';
import type { AgentEvent, AgentState } from '../events/agentEvent';
import { EngineError } from '../engineError';
import { inputSchema, type Message, type UserInput } from '../messages/message';
import type { RunMetadata } from '../tools/hiddenContext';
import type { RunOutcome } from '../events/runOutcome';
import type { CallStops } from './stopping/callStops';
import type { Interrupts } from './stopping/interrupts';
import type { SentResult, SentResults } from './sentResults';
import { ShutDown } from './shutDown';
import type { Steering } from './steering';

/** How a turn is interrupted. */
export interface Interrupting {
  /** Told to the model in the results of the calls that are stopped, and in a notice. */
  reason?: string;
  /** What the run goes on with at once, behind messages that wait already. */
  message?: string | UserInput;
}

/** One running agent, as its starter sees it. */
export interface AgentHandle {
  readonly id: string;
  readonly sessionId: string;
  readonly state: AgentState;
  /** The run of the agent that started this one; null when a person or a program did. */
  readonly parent: AgentHandle | null;
  /** The runs of the agents that it started so far, in their order. */
  readonly children: readonly AgentHandle[];
  /** Never rejects; resolves after the last event. */
  readonly outcome: Promise<RunOutcome>;
  /** Ends one call and not the run; the model is told. False when no such call runs. */
  stopCall(callId: string): boolean;
  /**
   * Gives a call its result, of a tool with `answersLater`; from then on it is as any other. Throws EngineError `not-found` for a
   * call that no such tool has under way in just this run, `invalid-state` for one that has its result or was stopped, and
   * `invalid-input` for a result that does not fit.
   */
  sendToolResult(callId: string, result: SentResult): void;
  /**
   * A message for the run; the model sees it with its next request. False when the run is over, or so near its end that it
   * takes nothing more: after `outcome` another run can be started with it. Throws EngineError `invalid-input` for what is no message.
   */
  send(input: string | UserInput): boolean;
  /** Takes a message back by the id that it was sent with. False when the model has it already. */
  withdraw(id: string): boolean;
  /**
   * Stops what the run does at this moment and keeps the run: the answer of the model, whose beginning is kept, calls, which have
   * a result that says so, and agents that it started. The run then waits, in the state `idle`, for a message, and goes on with
   * it; messages that wait already and `message` it goes on with at once. While it waits `cancel` ends it as ever, its time runs, and
   * another interruption changes nothing. False when nothing is stopped or sent: the run is over, as near its end as for
   * `send`, is summing up, or its agent is a program.
   */
  interrupt(how?: Interrupting): boolean;
  /** Ends the run with the outcome `cancelled`, and the processes it started. */
  cancel(): void;
  /** Ends the run because the program ends: what it waited for stays open in its session. */
  shutDown(): void;
  /** A listener that throws never stops the run. */
  subscribe(listener: (event: AgentEvent) => void): Disposable;
  /**
   * What this agent did since its last answer was kept in the session, for whoever begins to listen in the middle; without
   * the output of commands. Pieces of text come as one.
   */
  unkept(): readonly AgentEvent[];
  /** The conversation of its session as it stands, with that of earlier runs. Rejects with EngineError `not-found` when it is gone. */
  history(): Promise<readonly Message[]>;
  /** What its tools know and no model does, of the engine and of the session. Rejects as `history` does. */
  metadata(): Promise<RunMetadata>;
  /** All events from now on, ending with `run-finished`. */
  events(): AsyncIterable<AgentEvent>;
}

/** Events of what is in the session as soon as they come, and the output of commands, which may be long. */
const KEPT: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  ...(['run-started', 'message-taken', 'todo-changed', 'agent-spawned', 'agent-finished'] as const),
  ...(['session-renamed', 'session-compressed', 'auto-continued', 'skill-loaded', 'skill-unloaded'] as const),
  ...(['tool-progress', 'checkpoint-taken'] as const),
]);

/** What is kept with the session of a run. */
export interface KeptOfRun {
  history: readonly Message[];
  metadata: RunMetadata;
}

/** What a handle has of its run. */
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
    // Those of agents that it started come along.
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

/** Kept with the session, anything else would be a line that cannot be read again. */
function checkInput(input: unknown): void {
  if (inputSchema.safeParse(input).success) return;
  throw new EngineError('invalid-input', 'A message is a text, or { text, attachments }. Send one of them.');
}
