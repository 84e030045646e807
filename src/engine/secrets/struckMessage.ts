import { isRecord } from '../../base/isRecord';
import type { AssistantMessage, AssistantPart, Message } from '../messages/message';
import { DEEPEST, nesting } from '../messages/nesting';
import type { FileDiff, ToolCall, ToolDetail, ToolResult } from '../messages/toolCall';

type Strike = (text: string) => string;

/** Redacts the texts and calls of a message with `strike`; images are unchanged. */
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

/** Redacts an answer of a model. */
export function struckReply(message: AssistantMessage, strike: Strike): AssistantMessage {
  return { ...message, parts: message.parts.map((part) => struckPart(part, strike)) };
}

function struckPart(part: AssistantPart, strike: Strike): AssistantPart {
  switch (part.type) {
    case 'text':
      return { ...part, text: strike(part.text) };
    case 'thinking': {
      const text = strike(part.text);
      // The vendor's signature covers the original text and would be rejected with a different one.
      return text === part.text ? part : { type: 'thinking', text };
    }
    case 'tool-call':
      return { type: 'tool-call', call: struckCall(part.call, strike) };
    case 'redacted-thinking':
      return part;
  }
}

/** Redacts a call for storage and display. A redacted call is marked, since it can only be executed in its original form. */
function struckCall(call: ToolCall, strike: Strike): ToolCall {
  const [name, text] = [strike(call.name), struckArguments(call.arguments, strike)];
  return name === call.name && text === call.arguments ? call : { ...call, name, arguments: text, struck: true };
}

/** Parses the arguments as JSON if possible, so that secrets are found however they are escaped, and the result is valid JSON again. */
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

/** Returns the identical value if nothing was redacted. */
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

/** Redacts the texts of a result. */
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

/** Redacts a diff line by line, so that its line counts stay valid. */
export function struckDiff(diff: FileDiff, strike: Strike): FileDiff {
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(strike) })) };
}
