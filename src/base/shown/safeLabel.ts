import { safeLine } from './safeText';

/** What the editor draws as an icon in the labels of lists and of the status bar. */
const ICON = /\$\((?=[\w-]+(?:~[\w-]+)?\))/g;

/** A text that is not ours as part of such a label: one safe line, in which nothing becomes an icon. */
export function safeLabel(text: string, max = 200): string {
  return safeLine(text, max).replace(ICON, '\\$(');
}
