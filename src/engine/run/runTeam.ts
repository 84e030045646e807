import type { Question, QuestionAnswer } from '../events/question';
import type { Model } from '../llm/model';
import type { TeamDesk } from '../tools/team/teamDesk';
import type { CountUsage } from './sideRequest/requestUsage';
import type { LimitReached } from './stopConditions';

/** The other agents of a run, as its loop sees them. */
export interface RunTeam {
  readonly desk: TeamDesk;
  /** Asks the user; for an agent that another one started, also its ancestors. Rejects only with AbortError. */
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  /** Records that the model called tools, so it is not merely trying to end again and again. */
  called(): void;
  /** Returns what happened to the agents that this one started, for its model; each item only once. */
  takeNews(): string[];
  /**
   * Called when the model wants to end: null lets it, and a string is sent to it instead. Waits while agents it started are
   * running, but not beyond `interrupted`. If the model insists, the remaining ones are stopped. Rejects with AbortError.
   */
  beforeEnd(signal: AbortSignal, interrupted: Promise<void>): Promise<string | null>;
  /** Stops the agents it started; resolves once they have ended. It may start others afterwards. */
  endRunning(): Promise<void>;
  readonly spending: RunSpending;
}

/** Tracks what an agent and those it started use up; it also counts against the limits of the agent's ancestors. */
export interface RunSpending {
  /** Counts a turn about to begin, or returns the limit that forbids it. */
  takeTurn(): LimitReached | undefined;
  /**
   * Asks a model, and counts the usage that `ask` reports, at the model's prices. If a limit has been reached, returns it without
   * asking. Waits while pending requests might reach it. Rejects with AbortError, and as `ask` does.
   */
  request<T>(
    asked: { model: Model; inputTokens: () => number },
    ask: (count: CountUsage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | LimitReached>;
}
