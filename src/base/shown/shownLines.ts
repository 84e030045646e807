import { closeGaps, type Exactness, safeText, type Unseen } from './safeText';

/** A line of untrusted text; `isNote` if it is Cairn's own note about omitted lines. */
export interface ShownLine {
  text: string;
  isNote: boolean;
}

export interface ShownText {
  lines: readonly ShownLine[];
  /** A caution to show before approval; null for nothing. */
  warning: string | null;
}

const KINDS: Readonly<Record<Unseen, string>> = {
  control: 'control characters',
  direction: 'characters that change the reading direction',
  invisible: 'invisible characters',
  blank: 'unusual blanks',
  lookalike: 'characters that look like others',
};

/** This many consecutive blank lines are a gap that may hide something. */
const GAP_LINES = 4;

/**
 * Returns what would be run or written, exactly as it would happen: hidden characters are visible, and gaps are closed and give
 * their length.
 */
export function shownLines(text: string, exactness: Exactness): ShownText {
  const found = new Set<Unseen>();
  const lines: ShownLine[] = [];
  const all = safeText(text, exactness, (kind) => found.add(kind)).split('\n');
  for (let at = 0; at < all.length; at++) {
    let end = at;
    while (end < all.length && isBlank(all[end] ?? '')) end++;
    if (end - at >= GAP_LINES) {
      lines.push({ text: `+${end - at} lines, all blank`, isNote: true });
      at = end - 1;
    } else lines.push({ text: closeGaps(all[at] ?? ''), isNote: false });
  }
  return { lines, warning: unseenWarning(found) };
}

/** Returns the warning about what `safeText` found; null for nothing. */
export function unseenWarning(found: ReadonlySet<Unseen>): string | null {
  if (found.size === 0) return null;
  const words = [...found].map((kind) => KINDS[kind]);
  const last = words.pop() ?? '';
  return `Caution: this contains ${words.length > 0 ? `${words.join(', ')} and ${last}` : last}, marked ⟨U+…⟩.`;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Dialogs of the editor do not scroll: longer text pushes their buttons out of sight. */
const MAX_LINES = 30;
const MAX_LENGTH = 2000;

/** Text of several lines for a dialog. */
interface DialogText {
  text: string;
  /** A caution to show before approval; null for nothing. */
  warning: string | null;
  /** False if the middle is omitted, so that nobody approves it unseen. */
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

/** Words are kept whole if that wastes no more columns than this. */
const MOST_LEFT_FREE = 24;

/** Breaks a line into rows of at most `width` columns, between words where that costs little. Never underestimates a character's width. */
export function brokenRows(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const character of text) {
    // No terminal uses more than two columns for a character.
    const wide = character <= '~' ? 1 : 2;
    if (taken + wide > width) {
      const blank = row.lastIndexOf(' ') + 1;
      const cut = blank > 0 && row.length - blank <= MOST_LEFT_FREE ? blank : row.length;
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
      taken = widthOf(row);
    }
    row += character;
    taken += wide;
  }
  return [...rows, row];
}

function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character <= '~' ? 1 : 2), 0);
}

/** East Asian characters and pictographs are twice as wide. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]|\p{Extended_Pictographic}/u;

/** Returns how many columns of a drawing a character takes. */
export function columnsOf(sign: string): number {
  return WIDE.test(sign) ? 2 : 1;
}
