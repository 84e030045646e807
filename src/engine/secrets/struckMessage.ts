import { isRecord } from '../../base/isRecord';
import type { AssistantMessage, AssistantPart, Message } from '../messages/message';
import { DEEPEST, nesting } from '../messages/nesting';
import type { ToolCall } from '../messages/toolCall';
import type { FileDiff, ToolDetail, ToolResult } from '../messages/toolResult';

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
  const now = struckValue(value, strike);
  return now === value ? text : JSON.stringify(now);
}

function parsed(text: string): unknown {
  if (nesting(text).deepest > DEEPEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same value, not an equal one, where nothing is struck out of it. */
function struckValue(value: unknown, strike: Strike): unknown {
  if (typeof value === 'string') return strike(value);
  if (typeof value === 'number') return strike(String(value)) === String(value) ? value : strike(String(value));
  if (Array.isArray(value)) {
    const now = value.map((one) => struckValue(one, strike));
    return now.every((one, at) => one === value[at]) ? value : now;
  }
  if (!isRecord(value)) return value;
  const now = Object.entries(value).map(([key, one]): [string, unknown] => [strike(key), struckValue(one, strike)]);
  return now.every(([key, one]) => Object.hasOwn(value, key) && one === value[key]) ? value : Object.fromEntries(now);
}

/** What came of a call, without what `strike` takes out of its texts. */
export function struckResult(result: ToolResult, strike: Strike): ToolResult {
  return { ...result, text: strike(result.text), detail: result.detail && struckDetail(result.detail, strike) };
}

function struckDetail(detail: ToolDetail, strike: Strike): ToolDetail {
  switch (detail.kind) {
    case 'text':
    case 'file':
      return { ...detail, text: strike(detail.text) };
    case 'command':
      return { ...detail, command: strike(detail.command), output: strike(detail.output) };
    case 'change':
      return {
        ...detail,
        diff: struckDiff(detail.diff, strike),
        ...(detail.leftOut && { leftOut: struckDiff(detail.leftOut, strike) }),
      };
  }
}

/** A change as the screen shows it, line by line, so that its parts are counted as before. */
export function struckDiff(diff: FileDiff, strike: Strike): FileDiff {
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(strike) })) };
}
