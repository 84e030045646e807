import { newId } from '../../../base/newId';
import type { AssistantMessage, AssistantPart } from '../../messages/message';
import type { ToolCall } from '../../messages/toolCall';
import type { Conversation } from '../runContext';

/** What a loop says, piece by piece, until it is kept as one message of the conversation. */
export class LoopReply {
  private parts: AssistantPart[] = [];
  /** The words of the last message that was kept. */
  lastText = '';

  constructor(private readonly context: Conversation) {}

  add(type: 'text' | 'thinking', text: string): void {
    const last = this.parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
    this.context.emitter.emit({ type: type === 'text' ? 'text-delta' : 'thinking-delta', text });
  }

  /** Keeps what was said so far; nothing happens when that is nothing. */
  async keep(call?: ToolCall): Promise<void> {
    if (call) this.parts.push({ type: 'tool-call', call });
    if (this.parts.length === 0) return;
    const { agent, model, session, emitter, ports } = this.context;
    const { parts } = this;
    this.parts = [];
    const message: AssistantMessage = {
      role: 'assistant',
      id: newId('msg'),
      time: ports.clock.now(),
      agent,
      model: model.id,
      parts,
      finish: call ? 'tool-calls' : 'stop',
    };
    await session.add(message);
    emitter.emit({ type: 'reply-finished', message });
    this.said(parts);
  }

  /** A reply that was kept by others. */
  said(parts: readonly AssistantPart[]): void {
    this.lastText = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  }
}
