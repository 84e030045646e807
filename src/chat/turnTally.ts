import { type FinishedAgent, type RunOutcome, type ToolResult, type WorkMode, WorkTally } from '../engine';
import type { ToolEntry, TurnEntry } from '../protocol/chatState';

/** Counts what a turn did, for the line at its end. */
export class TurnTally {
  private inputTokens = 0;
  private outputTokens = 0;
  private readonly work = new WorkTally();

  /** `mode`: in which the turn began, where that is known. */
  constructor(private readonly mode?: WorkMode) {}

  count({ category }: Pick<ToolEntry, 'category'>, result: ToolResult): void {
    this.work.count(result, category === 'execute');
  }

  /** What an agent did that the turn's one started, with those below it. */
  addAgent(finished: FinishedAgent): void {
    this.work.add(finished);
  }

  addUsage(usage: Pick<TurnEntry, 'inputTokens' | 'outputTokens'>): void {
    this.inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
  }

  entry(
    turn: Pick<TurnEntry, 'id' | 'runId' | 'messageId'>,
    outcome: RunOutcome['kind'],
    durationMs: number,
  ): TurnEntry {
    const { inputTokens, outputTokens, mode = null } = this;
    return { kind: 'turn', ...turn, mode, outcome, durationMs, inputTokens, outputTokens, ...this.work.done };
  }
}
