import { newId } from '../../../base/newId';
import { clipEnd } from '../../../base/truncate';
import { wellFormedJson } from '../../../base/wellFormedJson';
import { type AssistantMessage, type Message, toolCallsOf } from '../../messages/message';
import { type ToolCall, wireName } from '../../messages/toolCall';
import type { LlmEvent } from '../llmClient';
import { memoizeByObject } from '../../../base/memoizeByObject';

/** No tool name is this long; anything past it would only fill the conversation. */
const LONGEST_NAME = 128;
/** The longest ID that every vendor accepts back. */
const LONGEST_ID = 64;
const OPEN_HALF = /[\ud800-\udbff]$/;

interface Started {
  vendorId: string;
  name: string;
  id: string;
}

/**
 * Normalizes one incoming answer. Vendors choose call IDs freely, and some repeat them in every answer, so each call gets a Cairn
 * ID. The vendor's ID is kept for sending back, unless it would be ambiguous. Text is made well-formed.
 */
export class TakenReply {
  private readonly started: Started[] = [];
  /** A high surrogate at the end of a piece, held until its other half arrives with the next. */
  private half = '';
  /** Vendor IDs used by calls of this answer, in wire form. */
  private readonly taken = new Set<string>();

  /** `before`: the conversation being answered. */
  constructor(private readonly before: readonly Message[]) {}

  /** Returns the normalized event, or undefined when nothing is left of it. */
  take(event: LlmEvent): LlmEvent | undefined {
    switch (event.type) {
      case 'text-delta':
      case 'thinking-delta': {
        const text = this.wellFormed(event.text);
        return text === '' ? undefined : { ...event, text };
      }
      case 'tool-call-started': {
        const name = takenName(event.name);
        const id = newId('call');
        this.started.push({ vendorId: event.id, name, id });
        return { type: 'tool-call-started', id, name };
      }
      case 'tool-call':
        return { ...event, call: this.takeCall(event.call) };
      default:
        return event;
    }
  }

  private wellFormed(piece: string): string {
    const text = this.half + piece;
    this.half = OPEN_HALF.exec(text)?.[0] ?? '';
    return (this.half === '' ? text : text.slice(0, -1)).toWellFormed();
  }

  private takeCall({ id: vendorId, name: given, arguments: text, signature }: ToolCall): ToolCall {
    const name = takenName(given);
    const same = this.started.filter((one) => one.vendorId === vendorId);
    const started = same.find((one) => one.name === name) ?? same[0];
    if (started) this.started.splice(this.started.indexOf(started), 1);
    return {
      id: started?.id ?? newId('call'),
      ...(this.isFree(vendorId) && { vendorId }),
      name,
      arguments: wellFormedJson(text),
      ...(signature !== undefined && { signature: signature.toWellFormed() }),
    };
  }

  /** Reserves the vendor's ID if no other call of the conversation is sent under it. */
  private isFree(vendorId: string): boolean {
    const onWire = wireName(vendorId);
    if (vendorId === '' || vendorId.length > LONGEST_ID || this.isOnWire(onWire)) return false;
    this.taken.add(onWire);
    return true;
  }

  private isOnWire(id: string): boolean {
    return this.taken.has(id) || this.before.some((one) => one.role === 'assistant' && idsOf(one).includes(id));
  }
}

/** Returns the IDs under which a message's calls may be sent. */
const idsOf = memoizeByObject((message: AssistantMessage): readonly string[] =>
  toolCallsOf(message).flatMap(({ id, vendorId }) => [id, ...(vendorId === undefined ? [] : [vendorId])].map(wireName)),
);

function takenName(name: string): string {
  return clipEnd(name.toWellFormed(), LONGEST_NAME);
}
