import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { UserPrompter } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ResolvedModel } from '../llm/providerRegistry';
import type { HandledRun } from '../run/agentHandle';
import type { PlacedMiddleware } from '../run/hooks/middlewareChain';
import type { RunRequest } from '../run/runRequest';
import type { RunLimits } from '../run/stopConditions';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionHold } from '../sessions/sessionStore';
import type { Lineage } from '../team/teamMember';
import type { RunPlan } from './runPlan';

// What each step of a run passes on to those after it. All of it is immutable.

/** A run as its handle has it from the start. */
export interface BegunRun extends HandledRun {
  readonly request: RunRequest;
  readonly startedAt: number;
  /** Who started it. Undefined for an agent started by the user or a program. */
  readonly lineage: Lineage | undefined;
}

/** The run's event emitter, and the middleware between it and models. */
export interface Voice {
  readonly emitter: ScopedEmitter;
  readonly middleware: PlacedMiddleware;
}

export interface OpenRun extends Voice {
  readonly kind: 'open';
  readonly session: AgentSession;
  readonly hold: SessionHold;
}

export type Opened =
  | OpenRun
  /** Another process was running in the session until this run was canceled. */
  | (Voice & { kind: 'held-elsewhere'; session: AgentSession; outcome: RunOutcome })
  | (Voice & { kind: 'not-opened'; outcome: RunOutcome });

/** Who answers, with which model and values. Any missing values have been asked for. */
export interface PlannedRun {
  readonly kind: 'ready';
  readonly plan: RunPlan;
  readonly resolved: ResolvedModel;
  readonly variables: ReadonlyMap<string, string>;
  readonly limits: RunLimits;
  /** Answers the agent's questions. */
  readonly prompter: UserPrompter;
}

export interface Worked {
  readonly outcome: RunOutcome;
  /** Work for after the run, when nothing is waiting for it any more. */
  readonly afterwards?: (signal: AbortSignal) => Promise<void>;
}

/** Returns the outcome of a run that threw. */
export function outcomeOfThrow(error: unknown): RunOutcome {
  if (isAbort(error)) return { kind: 'cancelled' };
  if (!EngineError.is(error)) {
    const message = `Cairn ran into an internal error: ${errorText(error)}. The log has the details.`;
    return { kind: 'failed', reason: 'internal', message };
  }
  const reason = EngineError.is(error, 'middleware') ? 'middleware' : 'session';
  return { kind: 'failed', reason, message: error.message };
}
