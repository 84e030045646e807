/** Deeper than any tool asks for; what is deeper overflows the stack of whoever walks it. */
export const DEEPEST = 100;

/** How deep lists and objects stand in each other in JSON text, and whether it ends inside one of them or inside a text. */
export function nesting(json: string): { deepest: number; open: boolean } {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '"') {
      at = endOfString(json, at) - 1;
      if (at >= json.length) return { deepest, open: true };
    } else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return { deepest, open: depth > 0 };
}

const BACKSLASH = 0x5c;

/**
 * Where the quoted text that begins at `start` ends: the index after its closing quote, Infinity when it has
 * none. Walks by itself because an expression overflows the stack on a text of some megabytes.
 */
export function endOfString(json: string, start: number): number {
  const quote = json.charCodeAt(start);
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === quote) return at + 1;
  }
  return Infinity;
}
