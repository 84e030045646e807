import type { Message } from '../messages/message';
import { struckResult } from './struckResult';

type Strike = (text: string) => string;

/** A message without what `strike` takes out of its texts; proofs and pictures stay as they are. */
export function struckMessage(message: Message, strike: Strike): Message {
  switch (message.role) {
    case 'user':
      return { ...message, parts: message.parts.map((part) => struckText(part, strike)) };
    case 'assistant':
      return { ...message, parts: message.parts.map((part) => struckText(part, strike)) };
    case 'tool':
      return { ...message, results: message.results.map((result) => struckResult(result, strike)) };
  }
}

function struckText<T extends { type: string }>(part: T, strike: Strike): T {
  return part.type === 'text' && 'text' in part && typeof part.text === 'string'
    ? { ...part, text: strike(part.text) }
    : part;
}
