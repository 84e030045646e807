/** A shortened text: `text` is complete if `omitted` is 0. */
export interface Truncated {
  text: string;
  /** The number of characters left out. */
  omitted: number;
}

/** Keeps the head and the tail of a text longer than `max` characters, with a note of how much was left out between them. */
export function truncateMiddle(text: string, max: number): Truncated {
  if (text.length <= max) return { text, omitted: 0 };
  const head = Math.ceil(max / 2);
  const tail = max - head;
  const omitted = text.length - head - tail;
  return {
    text: `${text.slice(0, head)}\n... ${omitted} characters left out ...\n${text.slice(text.length - tail)}`,
    omitted,
  };
}

/** Shortens a text to at most `max` characters, the last of which is an ellipsis if anything was cut. */
export function clipEnd(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Strips any number of the given characters from the end of a text. A regular expression would start over at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
