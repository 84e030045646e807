import { throwIfAborted } from '../../base/abort';
import { errorText } from '../../base/errors';
import type { AgentDefinition } from '../agents/agentDefinition';
import { EngineError } from '../engineError';
import type { AgentEvent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import type { ScopedEmitter } from '../events/scopedEmitter';
import { type ApprovalMode, narrower, type WorkMode } from '../permissions/modes';
import type { Clock, Log } from '../ports';
import type { AgentHandle } from '../run/agentHandle';
import { isShutDown } from '../run/interrupts';
import type { RunRequest } from '../run/runRequest';
import { lowerLimits, type RunLimits } from '../run/stopConditions';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { ChildReport, SpawnRequest } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';
import {
  answerOf,
  AskWatch,
  CallWatch,
  Child,
  childId,
  exitOf,
  shortened,
  type SummaryParts,
  type WorkRequest,
} from './child';

/** What a run and its children have used of its limits. */
interface Spent {
  elapsedMs: number;
  tokens: number;
  costUsd: number;
}

/** The context of an agent that starts others. */
export interface LeaderParts {
  agent: AgentDefinition;
  session: AgentSession;
  variables: ReadonlyMap<string, string>;
  limits: RunLimits;
  startedAt: number;
  /** Available to tools but not to models. */
  hidden: Pick<RunRequest, 'metadata' | 'resources'>;
  /** Signal of the run. */
  signal: AbortSignal;
  emitter: ScopedEmitter;
  /** Forwards the events of its children to the listeners of the run. */
  forward: (event: AgentEvent) => void;
  sessions: SessionCatalog;
  clock: Clock;
  log: Log;
  summary: Omit<SummaryParts, 'above' | 'asks'>;
}

/** How children are connected to the agent that starts them. */
interface ChildrenTies {
  approvalMode: () => ApprovalMode;
  workMode: () => WorkMode;
  /** Throws EngineError `invalid-state` if a run is already in progress in the session. */
  begin: (request: RunRequest, child: Child) => AgentHandle;
  spent: () => { tokens: number; costUsd: number };
  /** Called when a child has ended and its report is available. Must not throw. */
  over: (child: Child) => Promise<void>;
}

/** A request to start a child. */
interface StartRequest extends SpawnRequest, Pick<WorkRequest, 'onUsed' | 'onCalled' | 'onAsking'> {
  /** The agent has no file. */
  isOwn?: true;
  /** The prompt is already in its session. */
  isTold?: boolean;
  /** Called with the session before the child works there. */
  onSession?: (sessionId: string) => Promise<void>;
}

const HALF = 0.5;

/** The children of an agent: starts, tracks, and ends them. */
export class Children {
  private readonly known = new Map<string, Child>();
  /** Sessions in which a child is about to continue. */
  private readonly reusing = new Set<string>();
  private readonly beginning = new Set<Promise<unknown>>();
  /** Number of children that are starting and count toward the limit but are not in `known` yet. */
  private reserved = 0;
  private closed = false;

  constructor(
    private readonly leader: LeaderParts,
    private readonly ties: ChildrenTies,
  ) {}

  get(id: string): Child | undefined {
    return this.known.get(id);
  }

  get all(): Child[] {
    return [...this.known.values()];
  }

  get running(): Child[] {
    return this.all.filter(({ isRunning }) => isRunning);
  }

  get hasRoom(): boolean {
    const { agent, signal } = this.leader;
    return !this.closed && !signal.aborted && this.atWork < agent.spawning.maxConcurrent;
  }

  /** Starts a child, which immediately counts toward the limit. Rejects with ToolFailure if it cannot be started, and with AbortError. */
  start(target: AgentDefinition, request: StartRequest): Promise<ChildReport> {
    this.refuseTooMany();
    this.reserved++;
    let isReserved = true;
    const release = () => {
      if (isReserved) this.reserved--;
      isReserved = false;
    };
    const begun = this.begin(target, request, release).finally(release);
    this.beginning.add(begun);
    const left = () => this.beginning.delete(begun);
    begun.then(left, left);
    return begun;
  }

  /** Throws ToolFailure if no further child may be started, and AbortError if the run is canceled. */
  refuseTooMany(): void {
    const { maxConcurrent } = this.leader.agent.spawning;
    throwIfAborted(this.leader.signal);
    if (this.closed) throw new ToolFailure('failed', 'The run is ending, so no other agent is started.');
    if (this.atWork < maxConcurrent) return;
    const hint = 'which is as many as you may have. Collect or cancel one first.';
    throw new ToolFailure('failed', `${maxConcurrent} agents are running, ${hint}`);
  }

  /** Ends all children; resolves once everything has ended. No child can start in the meantime, or ever again with `forGood`. */
  async end(forGood: boolean): Promise<void> {
    this.closed = true;
    this.cancelRunning();
    await Promise.allSettled(this.beginning);
    this.cancelRunning();
    await Promise.all(this.all.map(({ done }) => done.promise));
    if (!forGood) this.closed = false;
  }

  cancelRunning(): void {
    const { signal } = this.leader;
    for (const { handle } of this.running) {
      if (isShutDown(signal)) handle?.shutDown();
      else handle?.cancel();
    }
  }

  private get atWork(): number {
    return this.running.length + this.reserved;
  }

  private async begin(target: AgentDefinition, request: StartRequest, release: () => void): Promise<ChildReport> {
    const { session: own, sessions } = this.leader;
    const approvalMode = this.ties.approvalMode();
    const workMode = narrower(this.ties.workMode(), target.workMode ?? 'agent');
    const earlier = await this.reusedSession(target.name, request);
    const asked = earlier === undefined ? request : { ...request, sessionId: earlier };
    try {
      const session = await childSession(target.name, asked, { session: own, sessions, approvalMode, workMode });
      await request.onSession?.(session.id);
      return await this.beginIn(session, target, request, release);
    } finally {
      if (earlier !== undefined) this.reusing.delete(earlier);
    }
  }

  /** Returns the last session of the agent if it should continue there, and reserves it until the child has started. */
  private async reusedSession(agent: string, { sessionId }: SpawnRequest): Promise<string | undefined> {
    const { session, sessions, agent: own } = this.leader;
    if (!own.spawning.reuses || sessionId !== undefined) return undefined;
    const all = (await sessions.list()).filter((one) => one.agent === agent && one.parent?.sessionId === session.id);
    const busy = new Set([...this.running.map((child) => child.sessionId), ...this.reusing]);
    const free = all.filter(({ id }) => !busy.has(id)).toSorted((a, b) => b.modifiedAt - a.modifiedAt);
    const found = free[0]?.id;
    if (found !== undefined) this.reusing.add(found);
    return found;
  }

  private async beginIn(
    session: AgentSession,
    target: AgentDefinition,
    request: StartRequest,
    release: () => void,
  ): Promise<ChildReport> {
    const { emitter, clock, session: leading, log, signal } = this.leader;
    // Nothing is awaited from here to the start, so these checks stay valid.
    throwIfAborted(signal);
    if (this.closed) throw new ToolFailure('failed', 'The run is ending, so no other agent is started.');
    if (this.running.some(({ sessionId }) => sessionId === session.id)) {
      throw new ToolFailure('failed', `${target.name} is still running in that session. Collect it first.`);
    }
    const own = request.isOwn ? target : undefined;
    const child = new Child(childId(target.name, session.id), target.name, session.id, request, own);
    const handle = this.beginRun(target, request, child);
    child.handle = handle;
    this.known.set(child.id, child);
    release();
    const { callId, prompt: task } = request;
    const spawned = { agentId: child.id, agent: target.name, childSessionId: session.id, callId, task };
    emitter.emit({ type: 'agent-spawned', ...spawned });
    const kept = leading.agentSpawned(spawned).catch((error: unknown) => {
      log.error('The start of an agent could not be written to the session that started it', error);
    });
    const begunAt = clock.now();
    void handle.outcome.then(async (outcome) => {
      await kept;
      await this.finish(child, outcome, session, clock.now() - begunAt);
    });
    await kept;
    return child.report;
  }

  private beginRun(target: AgentDefinition, asked: StartRequest, child: Child): AgentHandle {
    const { prompt, isTold, onCalled, onAsking } = asked;
    const { limits, startedAt, clock, variables, forward, hidden } = this.leader;
    const spent = { ...this.ties.spent(), elapsedMs: clock.now() - startedAt };
    const request: RunRequest = {
      sessionId: child.sessionId,
      ...(!isTold && { input: prompt }),
      agent: target.name,
      limits: limitsOfChild(target.limits, limits, spent, this.leader.agent.graph ? 1 : HALF),
      variables: inheritedVariables(target.variables, variables),
      ...hidden,
    };
    try {
      const handle = this.ties.begin(request, child);
      const watch = onCalled && new CallWatch(child.sessionId, onCalled);
      const asks = onAsking && new AskWatch(onAsking);
      handle.subscribe((event) => {
        if (event.type === 'tool-finished') child.work.count(event.result);
        watch?.take(event);
        asks?.take(event);
        forward(event);
      });
      if (asks) void handle.outcome.then(() => asks.end());
      return handle;
    } catch (error) {
      throw new ToolFailure('failed', `${target.name} could not be started: ${errorText(error)}`);
    }
  }

  /** Never rejects: the child ends even if something fails. */
  private async finish(child: Child, outcome: RunOutcome, session: AgentSession, durationMs: number): Promise<void> {
    const { emitter, log, session: own, signal } = this.leader;
    const { id, agent, sessionId, used, work } = child;
    const ended = { agentId: id, outcome, durationMs, ...used, ...work.done };
    const answer = await this.answer(outcome, session);
    // After a shutdown it counts as interrupted, as in its own session.
    if (!isShutDown(signal)) {
      await own.agentFinished(ended).catch((error: unknown) => {
        log.error('The end of an agent could not be written to the session that started it', error);
      });
      emitter.emit({ type: 'agent-finished', ...ended });
    }
    child.finish({ id, agent, session_id: sessionId, ...exitOf(outcome), ...answer });
    await this.ties.over(child);
  }

  /** Only completed answers are worth summarizing. */
  private async answer(
    outcome: RunOutcome,
    session: AgentSession,
  ): Promise<Pick<ChildReport, 'output' | 'full_output'>> {
    const { agent, summary, signal, log } = this.leader;
    const full = answerOf(outcome, session);
    const { summarizeAbove: above } = agent.spawning;
    const asks = outcome.kind === 'completed' && !signal.aborted && !this.closed;
    try {
      return await shortened(full, { ...summary, above, asks }, signal);
    } catch (error) {
      log.error('The answer of an agent could not be saved in a file', error);
      return { output: full };
    }
  }
}

/** Returns a new session for a child, or the earlier one that it continues. */
async function childSession(
  agent: string,
  { sessionId, callId }: SpawnRequest,
  parent: { session: AgentSession; sessions: SessionCatalog; approvalMode: ApprovalMode; workMode: WorkMode },
): Promise<AgentSession> {
  const { session, sessions, approvalMode, workMode } = parent;
  if (sessionId === undefined) {
    const { workspace } = session.metadata;
    const lineage = { parent: { sessionId: session.id, callId } };
    return sessions.create({ workspace, model: null, name: null, agent, approvalMode, workMode, ...lineage });
  }
  const earlier = await sessions.open(sessionId).catch((error: unknown) => {
    if (!EngineError.is(error)) throw error;
    throw new ToolFailure('bad-arguments', `${error.message} Start a new agent without session_id.`);
  });
  const { metadata } = earlier;
  if (metadata.parent?.sessionId === session.id && metadata.agent === agent) return earlier;
  const hint = 'Start a new agent without session_id.';
  throw new ToolFailure('bad-arguments', `The session ${sessionId} is not one of ${agent} that you started. ${hint}`);
}

/**
 * Returns the limits of a child: its own, but at most a part of the tokens and cost that the parent has left. The part is half,
 * so that several children and the parent itself can finish; a graph needs nothing for itself and passes on everything. Time is
 * not divided, since they work concurrently.
 */
function limitsOfChild(own: RunLimits, parent: RunLimits, spent: Spent, part: number): RunLimits {
  const partOf = (limit: number | undefined, used: number) => limit !== undefined && Math.max(0, limit - used) * part;
  const tokens = partOf(parent.tokens, spent.tokens);
  const costUsd = partOf(parent.costUsd, spent.costUsd);
  const share: RunLimits = {
    ...(tokens !== false && { tokens: Math.floor(tokens) }),
    ...(costUsd !== false && { costUsd }),
    ...(parent.timeMs !== undefined && { timeMs: Math.max(1, parent.timeMs - spent.elapsedMs) }),
  };
  return lowerLimits(own, share);
}

/** Returns the values of the parent's variables that a child declares too, by name. */
function inheritedVariables(
  wanted: readonly { name: string }[],
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap(({ name }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
