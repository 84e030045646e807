import type { Question, QuestionAnswer } from '../events/question';
import type { Model } from '../llm/model';
import type { TeamDesk } from '../tools/team/teamDesk';
import type { CountUsage } from './sideRequest/requestUsage';
import type { LimitReached } from './stopConditions';

/** The other agents of a run, as its loop sees them. */
export interface RunTeam {
  readonly desk: TeamDesk;
  /** Asks the person; of an agent that another one started, also those above it. Rejects only with AbortError. */
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  /** The model called tools, so it is not merely ending again and again. */
  called(): void;
  /** What happened to the agents that this one started, for its model; told once. */
  takeNews(): string[];
  /**
   * The model wants to end: null lets it, anything else is said to it instead. Waits while agents that it started are at
   * work, and not past `interrupted`; those that are left when it insists are ended. Rejects with AbortError.
   */
  beforeEnd(signal: AbortSignal, interrupted: Promise<void>): Promise<string | null>;
  /** Ends the agents that it started; resolves when they are over. It may start others afterwards. */
  endRunning(): Promise<void>;
  readonly spending: RunSpending;
}

/** What an agent uses up together with those that it started; it counts against the limits of those above it as well. */
export interface RunSpending {
  /** Counts a turn that begins now; or gives the limit that stands against it. */
  takeTurn(): LimitReached | undefined;
  /**
   * Asks a model, and counts at its prices what `ask` is told that it used. When a limit is reached nothing is asked and the
   * limit is given. Waits while requests that are under way may reach it. Rejects with AbortError, and like `ask`.
   */
  request<T>(
    asked: { model: Model; inputTokens: () => number },
    ask: (count: CountUsage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | LimitReached>;
}
