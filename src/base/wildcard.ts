/** True when `text` matches `pattern`, in which `*` stands for any run of characters and `?` for one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  return new RegExp(`^${source}$`).test(text);
}
