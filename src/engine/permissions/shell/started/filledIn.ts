/** A variable, with a default or without one. */
const EXPANSIONS = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?-([\w./ +-]*))?\})/g;

/** Returns what a word is with the values of all its variables; null if not all of them are known. */
export function filledIn(text: string, held: ReadonlyMap<string, readonly string[] | null>): readonly string[] | null {
  const found = [...text.matchAll(EXPANSIONS)].map(([, name = '', other = name, standard]) => {
    const own = held.has(other) ? held.get(other) : [];
    return own && [...own, ...(standard === undefined ? [] : [standard])];
  });
  if (found.length === 0 || /[$`]/.test(text.replaceAll(EXPANSIONS, ''))) return null;
  if (found.some((values) => !values || values.length === 0)) return null;
  const most = Math.max(...found.map((values) => values?.length ?? 0));
  return Array.from({ length: most }, (_, round) => {
    let at = 0;
    return text.replaceAll(EXPANSIONS, () => {
      const values = found[at++] ?? [];
      return values[Math.min(round, values.length - 1)] ?? '';
    });
  });
}
