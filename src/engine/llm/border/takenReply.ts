import { newId } from '../../../base/newId';
import { clipEnd } from '../../../base/truncate';
import { wellFormedJson } from '../../../base/wellFormedJson';
import { type AssistantMessage, type Message, toolCallsOf } from '../../messages/message';
import { type ToolCall, wireName } from '../../messages/toolCall';
import type { LlmEvent } from '../llmClient';
import { memoizeByObject } from '../../../base/memoizeByObject';

/** No tool is called so; the rest would only fill the conversation. */
const LONGEST_NAME = 128;
/** The longest that every vendor takes back. */
const LONGEST_ID = 64;
const OPEN_HALF = /[\ud800-\udbff]$/;

interface Started {
  vendorId: string;
  name: string;
  id: string;
}

/**
 * One answer on its way in. Vendors name calls as they please, some the same in each answer, so every call gets an id of our
 * own; what the vendor called it is kept for the vendor, unless that would name two calls. Text is made well-formed.
 */
export class TakenReply {
  private readonly started: Started[] = [];
  /** Half a character at the end of a piece, whose other half comes with the next. */
  private half = '';
  /** Taken by calls of this answer. */
  private readonly taken = new Set<string>();

  /** `before`: the conversation that is answered. */
  constructor(private readonly before: readonly Message[]) {}

  /** The event as it is taken in; undefined when nothing is left of it. */
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

  /** Takes the vendor's id, when no other call of the conversation goes out under it. */
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

/** Under which the calls of a message go out. */
const idsOf = memoizeByObject((message: AssistantMessage): readonly string[] =>
  toolCallsOf(message).flatMap(({ id, vendorId }) => [id, ...(vendorId === undefined ? [] : [vendorId])].map(wireName)),
);

function takenName(name: string): string {
  return clipEnd(name.toWellFormed(), LONGEST_NAME);
}
