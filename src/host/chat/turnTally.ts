import type { RunOutcome, ToolResult } from '../../engine';
import type { ToolEntry, TurnEntry } from '../../protocol/chatState';

/** Counts what a turn did, for the line at its end. */
export class TurnTally {
  private inputTokens = 0;
  private outputTokens = 0;
  private commands = 0;
  private readonly files = new Map<string, { added: number; removed: number }>();

  count(tool: Pick<ToolEntry, 'category'>, { status, detail }: ToolResult): void {
    if (status !== 'ok') return;
    if (tool.category === 'execute') this.commands++;
    if (detail?.kind !== 'change') return;
    const { path, added, removed } = detail.diff;
    const before = this.files.get(path) ?? { added: 0, removed: 0 };
    this.files.set(path, { added: before.added + added, removed: before.removed + removed });
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
    const { inputTokens, outputTokens, commands } = this;
    const files = [...this.files].map(([path, counts]) => ({ path, ...counts }));
    return { kind: 'turn', ...turn, outcome, durationMs, inputTokens, outputTokens, commands, files };
  }
}
