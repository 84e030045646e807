import { Deferred } from '../../base/deferred';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { FinishedAgent } from '../events/agentEvent';
import { limitText, type RunOutcome } from '../events/runOutcome';
import { WorkTally } from '../events/workTally';
import type { AgentHandle } from '../run/agentHandle';
import type { ChildReport, ChildState, InboxMessage, SpawnRequest } from '../tools/team/teamDesk';
import type { MadeCall } from './childWatch';

/** An agent that another one started in this process. */
export class Child {
  readonly inbox: InboxMessage[] = [];
  /** When its run is over and its answer is ready to be read. */
  readonly done = new Deferred<ChildReport>();
  report: ChildReport;
  /** Its answer was given to the model that started it. */
  collected = false;
  /** While it runs. */
  handle: AgentHandle | undefined;
  /** By it and those that it started, since it was started last. */
  readonly used: Pick<FinishedAgent, 'tokens' | 'costUsd' | 'unpriced'> = { tokens: 0, costUsd: 0 };
  readonly work = new WorkTally();

  constructor(
    readonly id: string,
    readonly agent: string,
    readonly sessionId: string,
    private readonly request: Pick<SpawnRequest, 'taskId' | 'awaited'> & Pick<WorkRequest, 'onUsed'>,
    /** What it is, where no file of that name says it. */
    readonly own?: AgentDefinition,
  ) {
    this.report = { id, agent, session_id: sessionId, state: 'running' };
  }

  get taskId(): string | undefined {
    return this.request.taskId;
  }

  /** The one that started it does nothing but wait for it. */
  get isAwaited(): boolean {
    return this.request.awaited === true;
  }

  get isRunning(): boolean {
    return this.report.state === 'running';
  }

  /** `costUsd`: null when the prices of the model are not known. */
  spend(tokens: number, costUsd: number | null): void {
    this.used.tokens += tokens;
    this.used.costUsd += costUsd ?? 0;
    if (costUsd === null) this.used.unpriced = true;
    this.request.onUsed?.({ tokens, costUsd: costUsd ?? 0 });
  }

  finish(report: ChildReport): void {
    this.report = report;
    // It holds all that the run was made of.
    this.handle = undefined;
    this.done.resolve(report);
  }
}

/** The same after a restart, since it is made of the session. */
export function childId(agent: string, sessionId: string): string {
  return `agent_${agent.replace(/[^\p{L}\p{N}_-]+/gu, '_')}_${sessionId.slice(0, 8)}`;
}

/** What a run came to, as a state and as `exit_status`. */
export function exitOf(outcome: RunOutcome): { state: ChildState; exit_status: string } {
  switch (outcome.kind) {
    case 'completed':
      return { state: 'completed', exit_status: 'Completed' };
    case 'rejected':
      return { state: 'rejected', exit_status: failed('a person refused a call') };
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

/** What an agent is to work on. */
export interface WorkRequest {
  prompt: string;
  isOwn?: true;
  /** The session in which it was at work on the same before; it goes on there, or has answered already. */
  earlier?: string;
  /** Told the session that it works in, before it does. */
  onSession?: (sessionId: string) => Promise<void>;
  /** Told what each request used, of it and of those that it starts. */
  onUsed?: (used: { tokens: number; costUsd: number }) => void;
  /** Told each call that it made. */
  onCalled?: (call: MadeCall) => void;
  /** Told when it, or one that it starts, begins to wait for a person, and when none of them does any more. */
  onAsking?: (isAsking: boolean) => void;
}
