import type { Message, UserMessage } from '../../messages/message';
import type { ToolResult } from '../../messages/toolResult';

const changed = new WeakMap<Message, Message>();

/** The same conversation with words in place of pictures. A message without pictures stays the same object. */
export function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const known = changed.get(message) ?? wordsFor(message);
    changed.set(message, known);
    return known;
  });
}

function wordsFor(message: Message): Message {
  if (message.role === 'user' && message.parts.some(({ type }) => type === 'image')) return withWords(message);
  if (message.role === 'tool' && message.results.some(({ images }) => images?.length)) {
    return { ...message, results: message.results.map(resultWithWords) };
  }
  return message;
}

function withWords(message: UserMessage): UserMessage {
  const parts = message.parts.map((part) =>
    part.type === 'image' ? { type: 'text' as const, text: note(part.image.mediaType) } : part,
  );
  return { ...message, parts };
}

function resultWithWords({ images = [], ...result }: ToolResult): ToolResult {
  const notes = images.map(({ mediaType }) => note(mediaType));
  return { ...result, text: [result.text, ...notes].filter((text) => text.trim() !== '').join('\n') };
}

function note(mediaType: string): string {
  return `\n[A picture (${mediaType}) was here. You cannot see pictures; say so if the answer depends on it.]\n`;
}
