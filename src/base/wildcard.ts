/** The cache size. Patterns come from rules and agent files, which are consulted on every tool call. */
const MOST_KEPT = 500;
const expressions = new Map<string, RegExp>();

/** Returns true if `text` matches `pattern`, where `*` matches any number of characters and `?` exactly one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  return expressionOf(pattern).test(text);
}

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known) return known;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  if (expressions.size >= MOST_KEPT) expressions.clear();
  const made = new RegExp(`^${source}$`);
  expressions.set(pattern, made);
  return made;
}
