import { isRecord } from '../../base/isRecord';
import { DEEPEST, nesting } from '../messages/nesting';
import type { ToolCall } from '../messages/toolCall';

type Strike = (text: string) => string;

/**
 * A call as it may be kept and shown. What was struck out of it is gone, so it is marked: it can only be carried out as the
 * model made it.
 */
export function struckCall(call: ToolCall, strike: Strike): ToolCall {
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
