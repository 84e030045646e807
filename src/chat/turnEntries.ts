import { type FinishedAgent, type ToolResult, type WorkMode, WorkTally } from '../engine';
import type { ChatEntry, ToolEntry, TurnEntry } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';

/** The entries for the text and thinking that the model is currently streaming. */
export class ReplyEntries {
  private textId: string | undefined;
  private thinking: { id: string; since: number } | undefined;

  constructor(private readonly nextId: (kind: string) => string) {}

  textDelta(text: string, agent: string, time: number): HostEvent[] {
    const ended = this.endThinking(time);
    if (this.textId !== undefined) return [...ended, { type: 'text-appended', entryId: this.textId, text }];
    this.textId = this.nextId('text');
    return [...ended, entryAdded({ kind: 'text', id: this.textId, agent, text, streaming: true })];
  }

  thinkingDelta(text: string, time: number): HostEvent[] {
    if (this.thinking) return [{ type: 'text-appended', entryId: this.thinking.id, text }];
    const ended = this.endText();
    this.thinking = { id: this.nextId('thinking'), since: time };
    return [...ended, entryAdded({ kind: 'thinking', id: this.thinking.id, text, streaming: true, durationMs: null })];
  }

  endThinking(time: number): HostEvent[] {
    const thinking = this.thinking;
    this.thinking = undefined;
    return thinking ? [{ type: 'text-finished', entryId: thinking.id, durationMs: time - thinking.since }] : [];
  }

  end(time: number): HostEvent[] {
    return [...this.endThinking(time), ...this.endText()];
  }

  private endText(): HostEvent[] {
    const entryId = this.textId;
    this.textId = undefined;
    return entryId === undefined ? [] : [{ type: 'text-finished', entryId, durationMs: null }];
  }
}

export function entryAdded(entry: ChatEntry): HostEvent {
  return { type: 'entry-added', entry };
}

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
    outcome: TurnEntry['outcome'],
    durationMs: number,
  ): TurnEntry {
    const { inputTokens, outputTokens, mode = null } = this;
    return { kind: 'turn', ...turn, mode, outcome, durationMs, inputTokens, outputTokens, ...this.work.done };
  }
}
