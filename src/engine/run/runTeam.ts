import type { Question, QuestionAnswer } from '../events/question';
import type { Model } from '../llm/model';
import type { Usage } from '../messages/message';
import type { TeamDesk } from '../tools/team/teamDesk';

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
  /** A model used that much for this agent; counts at its own prices. */
  spend(usage: Usage, model: Model): void;
  /** By this agent, those that it started, and those that they started. */
  spent(): { tokens: number; costUsd: number };
}
