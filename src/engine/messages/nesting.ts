/** Deeper than any tool requires; deeper values overflow the stack when traversed recursively. */
export const DEEPEST = 100;

/** Returns the nesting depth of lists and objects in JSON text, and whether it ends inside one of them or inside a string. */
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
 * Returns the index after the closing quote of the string that begins at `start`, or Infinity if it is not closed. A manual loop,
 * because a regular expression overflows the stack on several megabytes of text.
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

/** Serializes a value that was parsed from JSON. Returns undefined if it is nested more deeply than Cairn supports. */
export function shallowJson(value: object): string | undefined {
  try {
    const json = JSON.stringify(value);
    return nesting(json).deepest > DEEPEST ? undefined : json;
  } catch {
    // Stack overflow.
    return undefined;
  }
}
