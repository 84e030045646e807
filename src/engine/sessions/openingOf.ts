import { type Message, textOf } from '../messages/message';

const OPENING_MESSAGES = 5;
/** Of each of them. */
const OPENING_LENGTH = 400;

/** How the person's first messages begin, in one short text. */
export function openingOf(messages: readonly Message[]): string {
  const said = messages.flatMap((message) => (message.role === 'user' && !message.automatic ? [textOf(message)] : []));
  return said
    .slice(0, OPENING_MESSAGES)
    .map((text) => text.slice(0, OPENING_LENGTH))
    .join('\n');
}
