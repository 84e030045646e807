/** What is left of a long text: `text` is whole when `omitted` is 0. */
export interface Truncated {
  text: string;
  /** Characters that were left out. */
  omitted: number;
}

/** Keeps the head and the tail of a text longer than `max` characters and says between them how much was left out. */
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

/** A text of at most `max` characters, the last of which says that more followed. */
export function clipEnd(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** A text without those of these characters that stand at its end, however many they are. A pattern would begin anew at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
