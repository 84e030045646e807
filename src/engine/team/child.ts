import { Deferred } from '../../base/deferred';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { FinishedAgent } from '../events/agentEvent';
import { limitText, type RunOutcome } from '../events/runOutcome';
import { WorkTally } from '../events/workTally';
import type { AgentHandle } from '../run/agentHandle';
import type { ChildReport, ChildState, InboxMessage, SpawnRequest } from '../tools/team/teamDesk';
import type { MadeCall } from './childWatch';

/** An agent started by another one in this process. */
export class Child {
  readonly inbox: InboxMessage[] = [];
  /** Resolves once its run has ended and its answer is available. */
  readonly done = new Deferred<ChildReport>();
  report: ChildReport;
  /** Whether its answer was passed to the parent's model. */
  collected = false;
  /** Set while it runs. */
  handle: AgentHandle | undefined;
  /** Usage of the agent and of those that it started, since its last start. */
  readonly used: Pick<FinishedAgent, 'tokens' | 'costUsd' | 'unpriced'> = { tokens: 0, costUsd: 0 };
  readonly work = new WorkTally();

  constructor(
    readonly id: string,
    readonly agent: string,
    readonly sessionId: string,
    private readonly request: Pick<SpawnRequest, 'taskId' | 'awaited'> & Pick<WorkRequest, 'onUsed'>,
    /** Its definition, if it has no file. */
    readonly own?: AgentDefinition,
  ) {
    this.report = { id, agent, session_id: sessionId, state: 'running' };
  }

  get taskId(): string | undefined {
    return this.request.taskId;
  }

  /** Whether its parent only waits for it. */
  get isAwaited(): boolean {
    return this.request.awaited === true;
  }

  get isRunning(): boolean {
    return this.report.state === 'running';
  }

  /** `costUsd`: null if the prices of the model are unknown. */
  spend(tokens: number, costUsd: number | null): void {
    this.used.tokens += tokens;
    this.used.costUsd += costUsd ?? 0;
    if (costUsd === null) this.used.unpriced = true;
    this.request.onUsed?.({ tokens, costUsd: costUsd ?? 0 });
  }

  finish(report: ChildReport): void {
    this.report = report;
    // Releases the memory of the run.
    this.handle = undefined;
    this.done.resolve(report);
  }
}

/** Returns the id of a child. Stable across restarts, since it is derived from the session. */
export function childId(agent: string, sessionId: string): string {
  return `agent_${agent.replace(/[^\p{L}\p{N}_-]+/gu, '_')}_${sessionId.slice(0, 8)}`;
}

/** Converts an outcome to a state and an `exit_status`. */
export function exitOf(outcome: RunOutcome): { state: ChildState; exit_status: string } {
  switch (outcome.kind) {
    case 'completed':
      return { state: 'completed', exit_status: 'Completed' };
    case 'rejected':
      return { state: 'rejected', exit_status: failed('a user refused a call') };
    case 'cancelled':
      return { state: 'cancelled', exit_status: failed('it was cancelled') };
    case 'limit-reached':
      return { state: 'limit-reached', exit_status: failed(limitText(outcome.limit)) };
    case 'failed':
      return { state: 'failed', exit_status: failed(outcome.message) };
  }
}

function failed(why: string): string {
  return `Failed(${JSON.stringify(why)})`;
}

/** A task for an agent. */
export interface WorkRequest {
  prompt: string;
  isOwn?: true;
  /** The session of an earlier attempt at the same task; it continues there, or has already answered. */
  earlier?: string;
  /** Called with its session before it starts to work there. */
  onSession?: (sessionId: string) => Promise<void>;
  /** Called with the usage of each request, including those of its children. */
  onUsed?: (used: { tokens: number; costUsd: number }) => void;
  /** Called with each call that it made. */
  onCalled?: (call: MadeCall) => void;
  /** Called when it or a descendant starts to wait for the user, and when none of them does anymore. */
  onAsking?: (isAsking: boolean) => void;
}
