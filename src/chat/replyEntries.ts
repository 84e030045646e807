import type { ChatEntry } from '../protocol/chatState';
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
