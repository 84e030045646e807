import type { Exactness } from './safeText';
import { shownLines } from './shownLines';

/** A dialog of the editor has no scroll bar: what is longer pushes its buttons out of sight. */
const MAX_LINES = 30;
const MAX_LENGTH = 2000;

/** A text of several lines as it is shown in a dialog. */
export interface DialogText {
  text: string;
  /** What a person should know before they agree to it; null for nothing. */
  warning: string | null;
  /** False when the middle is left out, so that nobody should agree to it unseen. */
  isWhole: boolean;
}

export function safeDialog(text: string, exactness: Exactness): DialogText {
  const { lines, warning } = shownLines(text, exactness);
  const all = lines.map((line) => line.text);
  const isLong = all.length > MAX_LINES;
  const half = MAX_LINES / 2;
  const some = isLong ? [...all.slice(0, half), `… +${all.length - MAX_LINES} lines …`, ...all.slice(-half)] : all;
  const whole = some.join('\n');
  const isWide = whole.length > MAX_LENGTH;
  return { text: isWide ? clipped(whole) : whole, warning, isWhole: !isLong && !isWide };
}

function clipped(text: string): string {
  const half = MAX_LENGTH / 2;
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return `${head.replace(/[\ud800-\udbff]$/, '')} … +${text.length - MAX_LENGTH} … ${tail.replace(/^[\udc00-\udfff]/, '')}`;
}
