/** Patterns come from rules and from files of agents, which are asked again at each call of a tool. */
const MOST_KEPT = 500;
const expressions = new Map<string, RegExp>();

/** True when `text` matches `pattern`, in which `*` stands for any run of characters and `?` for one. */
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
