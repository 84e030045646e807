import type { Image } from '../../messages/attachment';
import type { Message } from '../../messages/message';

/** Returns a message in which images are replaced by text; `noteFor` returns undefined for those that stay. */
export function replaceImages(message: Message, noteFor: (image: Image) => string | undefined): Message {
  if (message.role === 'user') {
    const parts = message.parts.map((part) => {
      const note = part.type === 'image' ? noteFor(part.image) : undefined;
      return note === undefined ? part : { type: 'text' as const, text: note };
    });
    return { ...message, parts };
  }
  if (message.role !== 'tool') return message;
  const results = message.results.map(({ images = [], ...result }) => {
    const noted = images.map((image) => ({ image, note: noteFor(image) }));
    const left = noted.filter(({ note }) => note === undefined).map(({ image }) => image);
    const notes = noted.flatMap(({ note }) => note ?? []);
    const text = [result.text, ...notes].filter((one) => one.trim() !== '').join('\n');
    return { ...result, text, ...(left.length > 0 && { images: left }) };
  });
  return { ...message, results };
}
