import { memoizeByObject } from '../../base/memoizeByObject';
import { newId } from '../../base/newId';
import { mappedStream } from '../../base/streams/mappedStream';
import { clipEnd } from '../../base/truncate';
import { wellFormedJson } from '../../base/wellFormedJson';
import { type AssistantMessage, type AssistantPart, type Message, toolCallsOf } from '../messages/message';
import { type ToolCall, wireName } from '../messages/toolCall';
import type { LlmClient, LlmEvent, LlmRequest } from './llmClient';
import { leaveOutRefusedPictures } from './middleware/refusedPictures';
import { respectAbilities } from './middleware/respectAbilities';
import type { Model } from './model';

/** Returns a client that sends only what the model supports and normalizes its answers for storage. `id`: `provider:model`. */
export function fittingClient(
  next: LlmClient,
  describe: (signal: AbortSignal) => Promise<Model>,
  id: string,
): LlmClient {
  return takeIn(respectAbilities(leaveOutRefusedPictures(next, id), describe), id);
}

/**
 * The boundary between Cairn and every model, whoever provides it: incoming answers are normalized for storage, and stored
 * messages are adapted before they are sent (`model`: `provider:model`).
 */
function takeIn(next: LlmClient, model: string): LlmClient {
  return { stream: (request, signal) => taken(next, model, request, signal) };
}

function taken(next: LlmClient, model: string, request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent> {
  const reply = new TakenReply(request.messages);
  const sent = () => ({
    ...request,
    system: request.system.toWellFormed(),
    messages: vendorMessages(request.messages, model),
  });
  return mappedStream(
    () => next.stream(sent(), signal),
    (event) => {
      const kept = reply.take(event);
      return kept ? [kept] : [];
    },
  );
}

/**
 * Adapts a conversation for a model (`provider:model`): calls that the model made carry the IDs it gave them, and text contains
 * no lone surrogates. A message that needs neither change is returned as the same object.
 */
function vendorMessages(messages: readonly Message[], model: string): readonly Message[] {
  let asked: AssistantMessage | undefined;
  return messages.map((message) => {
    if (message.role === 'assistant') asked = message;
    const own = message.role !== 'user' && asked?.model === model ? asked : undefined;
    // Most of the conversation was already sent to this model with the previous request.
    const before = lastSent.get(message);
    if (before && before.own === own) return before.sent;
    const sent = wellFormed(own ? withVendorIds(message, own) : message);
    lastSent.set(message, { own, sent });
    return sent;
  });
}

/** How each message was last sent. `own`: the target model's answer whose vendor IDs were used, if any. */
const lastSent = new WeakMap<Message, { own: AssistantMessage | undefined; sent: Message }>();

function withVendorIds(message: Message, asked: AssistantMessage): Message {
  if (vendorIds(asked).size === 0) return message;
  return message.role === 'assistant' ? withCallIds(message) : withResultIds(asked)(message);
}

const vendorIds = memoizeByObject((message: AssistantMessage): ReadonlyMap<string, string> => {
  return new Map(toolCallsOf(message).flatMap(({ id, vendorId }) => (vendorId === undefined ? [] : [[id, vendorId]])));
});

const withCallIds = memoizeByObject((message: AssistantMessage): Message => {
  const parts = message.parts.map((part): AssistantPart => {
    const id = part.type === 'tool-call' ? part.call.vendorId : undefined;
    return part.type === 'tool-call' && id !== undefined ? { type: 'tool-call', call: { ...part.call, id } } : part;
  });
  return { ...message, parts };
});

/** Restores the vendor's IDs in the results that follow `asked`. */
const withResultIds = memoizeByObject((asked: AssistantMessage) =>
  memoizeByObject((message: Message): Message => {
    if (message.role !== 'tool') return message;
    const ids = vendorIds(asked);
    const results = message.results.map((one) => ({ ...one, callId: ids.get(one.callId) ?? one.callId }));
    return { ...message, results };
  }),
);

const wellFormed = memoizeByObject((message: Message): Message => {
  const mended = mend(message);
  // Returning the same object when nothing changed keeps anything cached by object identity valid.
  return mended.changed ? mended.message : message;
});

function mend(message: Message): { message: Message; changed: boolean } {
  let changed = false;
  const text = (said: string, clean = (ill: string) => ill.toWellFormed()) => {
    const mended = clean(said);
    changed ||= mended !== said;
    return mended;
  };
  switch (message.role) {
    case 'user': {
      const parts = message.parts.map((part) => (part.type === 'text' ? { ...part, text: text(part.text) } : part));
      return { message: { ...message, parts }, changed };
    }
    case 'assistant': {
      const parts = message.parts.map((part): AssistantPart => {
        if (part.type === 'tool-call') {
          const { call } = part;
          return { type: 'tool-call', call: { ...call, arguments: text(call.arguments, wellFormedJson) } };
        }
        return part.type === 'redacted-thinking' ? part : { ...part, text: text(part.text) };
      });
      return { message: { ...message, parts }, changed };
    }
    case 'tool': {
      const results = message.results.map((one) => ({ ...one, text: text(one.text) }));
      return { message: { ...message, results }, changed };
    }
  }
}

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
class TakenReply {
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
