import type { AssistantMessage, Message, ToolMessage } from '../../messages/message';

const changed = new WeakMap<Message, Message>();

/** Converts calls and results to text, for a model that does not support tools. */
export function withoutTools(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const known = changed.get(message) ?? asText(message);
    changed.set(message, known);
    return known;
  });
}

function asText(message: Message): Message {
  if (message.role === 'tool') return resultsAsText(message);
  if (message.role === 'assistant' && message.parts.some(({ type }) => type === 'tool-call'))
    return callsAsText(message);
  return message;
}

function callsAsText(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call'
      ? { type: 'text' as const, text: `\n[Called ${part.call.name} with ${part.call.arguments}]\n` }
      : part,
  );
  return { ...message, parts };
}

function resultsAsText({ id, time, results }: ToolMessage): Message {
  const parts = results.flatMap(({ name, text, images = [] }) => [
    { type: 'text' as const, text: `[Result of ${name}]\n${text}\n` },
    ...images.map((image) => ({ type: 'image' as const, image })),
  ]);
  return { role: 'user', id, time, steering: true, parts };
}
