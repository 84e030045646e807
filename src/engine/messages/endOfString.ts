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
