import { wellFormedJson } from '../../../base/wellFormedJson';
import { type AssistantMessage, type AssistantPart, type Message, toolCallsOf } from '../../messages/message';
import { memoizeByObject } from '../../../base/memoizeByObject';

/**
 * Adapts a conversation for a model (`provider:model`): calls that the model made carry the IDs it gave them, and text contains
 * no lone surrogates. A message that needs neither change is returned as the same object.
 */
export function vendorMessages(messages: readonly Message[], model: string): readonly Message[] {
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
