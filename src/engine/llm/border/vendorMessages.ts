import { wellFormedJson } from '../../../base/wellFormedJson';
import { type AssistantMessage, type AssistantPart, type Message, toolCallsOf } from '../../messages/message';
import { memoizeByObject } from '../../../base/memoizeByObject';

/**
 * A conversation as a model (`provider:model`) may be shown it: its own calls have the ids that it gave them, and no text holds
 * half a character. A message that needs neither stays the same object.
 */
export function vendorMessages(messages: readonly Message[], model: string): readonly Message[] {
  let asked: AssistantMessage | undefined;
  return messages.map((message) => {
    if (message.role === 'assistant') asked = message;
    const own = message.role !== 'user' && asked?.model === model ? asked : undefined;
    // Most of a conversation went to the same model with the request before.
    const before = lastSent.get(message);
    if (before && before.own === own) return before.sent;
    const sent = wellFormed(own ? withVendorIds(message, own) : message);
    lastSent.set(message, { own, sent });
    return sent;
  });
}

/** As a message was sent last: with the ids of an answer of the model that it is sent to, or without. */
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

/** Of the results that follow a message. */
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
  // The same object wherever nothing was wrong, so that what is remembered of it stays.
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
