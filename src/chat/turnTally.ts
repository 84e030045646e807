import { type FinishedAgent, type RunOutcome, type ToolResult, type WorkMode, WorkTally } from '../engine';
import type { ToolEntry, TurnEntry } from '../protocol/chatState';

/** Counts what happened in a turn, for the line at its end. */
export class TurnTally {
  private inputTokens = 0;
  private outputTokens = 0;
  private readonly work = new WorkTally();

  /** `mode`: the mode that the turn began in, if known. */
  constructor(private readonly mode?: WorkMode) {}

  count({ category }: Pick<ToolEntry, 'category'>, result: ToolResult): void {
    this.work.count(result, category === 'execute');
  }

  /** Adds the work of an agent started in the turn, including its descendants. */
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
