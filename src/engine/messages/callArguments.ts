import { jsonrepair } from 'jsonrepair';
import { errorText } from '../../base/errorText';
import { isRecord } from '../../base/isRecord';
import { isWholeObject } from './isWholeObject';
import { DEEPEST, nesting } from './nesting';
import type { ToolCall } from './toolCall';

/** What a model wrote as arguments, or why it cannot be told what it wanted. */
export type CallArguments =
  { ok: true; value: unknown } | { ok: false; problem: 'cut' | 'deep' | 'broken'; says: string };

/**
 * Reads the arguments of a call. What was cut off is never completed: half of a text or of a command is another one. Slips
 * such as a missing quote at a name or a comma too many are read as they were meant, because no value depends on them.
 */
export function callArguments(call: Pick<ToolCall, 'arguments' | 'cut'>): CallArguments {
  const text = call.arguments.trim();
  if (call.cut) return { ok: false, problem: 'cut', says: 'the answer reached the output limit of the model' };
  if (text === '') return { ok: true, value: {} };
  const { deepest, open } = nesting(text);
  if (deepest > DEEPEST) return { ok: false, problem: 'deep', says: `nested more than ${DEEPEST} deep` };
  try {
    return { ok: true, value: unwrapped(JSON.parse(text)) };
  } catch (error) {
    return repaired(text) ?? { ok: false, problem: open ? 'cut' : 'broken', says: errorText(error) };
  }
}

/** Arguments as JSON in a text, or as the only one of a list. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 && isRecord(value[0]) ? value[0] : value;
  if (typeof value !== 'string' || !value.trim().startsWith('{') || nesting(value).deepest > DEEPEST) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function repaired(text: string): CallArguments | undefined {
  const bare = withoutFence(text);
  if (!isWholeObject(bare)) return undefined;
  try {
    const value: unknown = JSON.parse(jsonrepair(bare));
    return isRecord(value) && !Array.isArray(value) ? { ok: true, value } : undefined;
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const fenced = /^```(?:json)?\s*\n/.exec(text)?.[0];
  return fenced !== undefined && text.endsWith('```') ? text.slice(fenced.length, -3).trim() : text;
}
