import { isRecord } from '../../base/isRecord';
import type { AssistantMessage, AssistantPart, Message } from '../messages/message';
import { DEEPEST, nesting } from '../messages/nesting';
import type { ToolCall } from '../messages/toolCall';
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

/**
 * A call as it may be kept and shown. What was struck out of it is gone, so it is marked: it can only be carried out as the
 * model made it.
 */
function struckCall(call: ToolCall, strike: Strike): ToolCall {
  const [name, text] = [strike(call.name), struckArguments(call.arguments, strike)];
  return name === call.name && text === call.arguments ? call : { ...call, name, arguments: text, struck: true };
}

/** Read as JSON where it is that, so that a secret is known however its signs are escaped, and what is left is JSON again. */
function struckArguments(text: string, strike: Strike): string {
  const value = parsed(text);
  if (value === undefined) return strike(text);
  const now = JSON.stringify(struckValue(value, strike));
  return now === JSON.stringify(value) ? text : now;
}

function parsed(text: string): unknown {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function struckValue(value: unknown, strike: Strike): unknown {
  if (typeof value === 'string') return strike(value);
  if (typeof value === 'number') return strike(String(value)) === String(value) ? value : strike(String(value));
  if (Array.isArray(value)) return value.map((one) => struckValue(one, strike));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [strike(key), struckValue(one, strike)]));
}
