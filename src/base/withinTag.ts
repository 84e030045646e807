/** What a model may read over between the sign that opens a tag and its name, or between the letters of the name. */
const UNSEEN = '\\p{C}\\p{DI}';

/**
 * Returns text from outside for a place between `<tag>` and `</tag>`, which it can neither open nor close: also not with blanks,
 * invisible characters, or lookalikes of the signs, which a model may take for them.
 */
export function withinTag(tag: string, text: string): string {
  const name = Array.from(tag).join(`[${UNSEEN}]*`);
  return text.replace(
    new RegExp(`[<\\uff1c\\ufe64](?=[\\s/\\uff0f\\u2215\\u2044${UNSEEN}]*${name}(?![\\p{L}\\p{N}_]))`, 'giu'),
    '&lt;',
  );
}
