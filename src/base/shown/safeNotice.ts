import { safeLine } from './safeText';

/** A text that is not ours as part of a notification of the editor: one safe line, in which nothing becomes a link. */
export function safeNotice(text: string, max = 300): string {
  return safeLine(text, max).replaceAll('](', '] (');
}
