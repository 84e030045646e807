import type { AssistantMessage, AssistantPart, Message } from '../messages/message';
import { struckCall } from './struckCall';
import { struckResult } from './struckResult';

type Strike = (text: string) => string;

/** A message without what `strike` takes out of its texts and calls; pictures stay as they are. */
export function struckMessage(message: Message, strike: Strike): Message {
  switch (message.role) {
    case 'user':
      return {
        ...message,
        parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: strike(part.text) } : part)),
      };
    case 'assistant':
      return struckReply(message, strike);
    case 'tool':
      return { ...message, results: message.results.map((result) => struckResult(result, strike)) };
  }
}

/** The same for an answer of a model. */
export function struckReply(message: AssistantMessage, strike: Strike): AssistantMessage {
  return { ...message, parts: message.parts.map((part) => struckPart(part, strike)) };
}

function struckPart(part: AssistantPart, strike: Strike): AssistantPart {
  switch (part.type) {
    case 'text':
      return { ...part, text: strike(part.text) };
    case 'thinking': {
      const text = strike(part.text);
      // The vendor's proof is of the words as they were, and would be refused beside others.
      return text === part.text ? part : { type: 'thinking', text };
    }
    case 'tool-call':
      return { type: 'tool-call', call: struckCall(part.call, strike) };
    case 'redacted-thinking':
      return part;
  }
}
