import { jsonrepair } from 'jsonrepair';
import { errorText } from '../../base/errors';
import { isRecord } from '../../base/isRecord';
import { DEEPEST, endOfString, nesting } from './nesting';
import type { ToolCall } from './toolCall';

const WORD = /\s+|[\w$+.-]+/y;
const CLOSED_BY: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const LITERAL = /^(?:true|false|null|True|False|None|[+-]?\d[\d.eE+-]*)$/;

/** The parsed arguments of a call, or why they cannot be determined. */
export type CallArguments =
  { ok: true; value: unknown } | { ok: false; problem: 'cut' | 'deep' | 'broken'; says: string };

/**
 * Parses the arguments of a call. Truncated arguments are never completed: half of a text or command is a different one. Slips
 * such as a missing quote around a name or an extra comma are repaired, because no value depends on them.
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

/** Unwraps arguments given as JSON in a string, or as the only item of a list. */
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

/**
 * Returns true if invalid JSON is nevertheless a single object from its first to its last bracket, with unambiguous string
 * boundaries. No truncated prefix of such a text qualifies.
 */
function isWholeObject(text: string): boolean {
  const tokens = tokensOf(text);
  if (tokens?.[0] !== '{') return false;
  const open: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') {
      if (CLOSED_BY[open.pop() ?? ''] !== token) return false;
      // Extra closing brackets at the end are a slip that loses nothing.
      if (open.length === 0) return tokens.slice(index + 1).every((rest) => rest === '}' || rest === ']');
    } else if (!fits(token, next)) return false;
  }
  return false;
}

/** Returns undefined if something outside quotes and brackets may belong to a string. */
function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    if (end === undefined || end > text.length) return undefined;
    const token = text.slice(at, end);
    if (token.trim() !== '') tokens.push(token);
    at = end;
  }
  return tokens;
}

function endOfToken(text: string, at: number): number | undefined {
  const first = text.charAt(at);
  if (first === '"' || first === "'") return endOfString(text, at);
  if ('{}[]:,'.includes(first)) return at + 1;
  WORD.lastIndex = at;
  return WORD.test(text) ? WORD.lastIndex : undefined;
}

/** An unescaped quote ends a string too early, so what follows a string must be what can follow a value or a name. */
function fits(token: string, next: string | undefined): boolean {
  if (token === ',' || token === ':') return true;
  if (next === ':') return true;
  const isValue = token.startsWith('"') || token.startsWith("'") || LITERAL.test(token);
  return isValue && (next === ',' || next === '}' || next === ']');
}
