import { endOfString } from './endOfString';

const WORD = /\s+|[\w$+.-]+/y;
const CLOSED_BY: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const LITERAL = /^(?:true|false|null|True|False|None|[+-]?\d[\d.eE+-]*)$/;

/**
 * True when a text that is no JSON is all the same one object from its first bracket to the bracket that closes it, in which
 * it cannot be doubted where a text begins and ends. No part of such a text, cut off anywhere, is one.
 */
export function isWholeObject(text: string): boolean {
  const tokens = tokensOf(text);
  if (tokens?.[0] !== '{') return false;
  const open: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') {
      if (CLOSED_BY[open.pop() ?? ''] !== token) return false;
      // A bracket too many at the end is a slip that takes nothing away.
      if (open.length === 0) return tokens.slice(index + 1).every((rest) => rest === '}' || rest === ']');
    } else if (!fits(token, next)) return false;
  }
  return false;
}

/** Undefined when something stands between quotes and brackets that may be a part of a text. */
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

/** A quote in the middle of a text ends it too early, so what follows an end must be what follows a value or a name. */
function fits(token: string, next: string | undefined): boolean {
  if (token === ',' || token === ':') return true;
  if (next === ':') return true;
  const isValue = token.startsWith('"') || token.startsWith("'") || LITERAL.test(token);
  return isValue && (next === ',' || next === '}' || next === ']');
}
