/**
 * How closely a text must match its appearance. `prose`: it is read, in any language. `code`: it becomes a file, where odd blanks
 * and lookalike letters matter too. `exact`: it is executed or names what is touched, such as a command or a path.
 */
export type Exactness = 'prose' | 'code' | 'exact';

/** The kinds of characters that the user cannot see, or mistakes for others. */
export type Unseen = 'control' | 'direction' | 'invisible' | 'blank' | 'lookalike';

/** Plain ASCII, as most text is. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Also letters, quotation marks, dashes, dots and other printed characters of European languages, which are fine in prose.
 * Building the full pattern takes longer than a short run spends on checking its files.
 */
const PLAIN_PROSE = /^[\t\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

/** Characters that are invisible, change the direction or break a line unexpectedly, and marks piled onto one letter. */
const HIDDEN =
  '(?:[^\\P{Cc}\\t\\n]|\\p{Cf}|\\p{Cs}|\\p{Zl}|\\p{Zp}|\\p{Default_Ignorable_Code_Point}|[\\u{e0000}-\\u{e0fff}]|(?<=\\p{M}{8})\\p{M})+';

/** The ones that join parts of a single pictograph. */
const IN_PICTURES = [
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f](?!\\p{Variation_Selector})',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
];
/** The ones that the spelling of some languages requires. */
const IN_WORDS = [
  ...['Arabic', 'Devanagari', 'Bengali', 'Malayalam', 'Sinhala', 'Kannada', 'Tamil', 'Telugu'].map(
    (script) => `(?<=\\p{Script=${script}})[\\u200c\\u200d](?=\\p{Script=${script}})`,
  ),
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}](?!\\p{Variation_Selector})',
];

const BLANKS = '[^\\P{Zs} ]|\\u2800';
/** The ideographic space is common in ordinary text. */
const ODD_BLANKS = '[^\\P{Zs} \\u3000]|\\u2800';

/**
 * Characters that look like a slash, a backslash, a dot, a colon, a semicolon, a hyphen or a bar, those that overlay others, and
 * stylized Latin letters and digits.
 */
const LOOKALIKES =
  '[\\u2044\\u2215\\u29f8\\u2571\\u27cb\\uff0f\\u1735\\u2cc6\\u3033\\u2f03\\u2216\\u29f5\\u29f9\\u2572\\u27cd\\ufe68\\uff3c' +
  '\\u2024\\ufe52\\u02d0\\u02f8\\u0589\\u05c3\\u2236\\ua789\\ufe55\\u037e\\ufe54\\u02d7\\u2010\\u2011\\u2043\\ufe63\\u2223\\u01c0\\u01c3' +
  '\\u0334-\\u0338\\u20d2\\u20d3\\u20e5\\u20eb\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}]';

/**
 * Further lookalikes of characters that mean something to a shell or in a path. Typographic quotation marks, dashes and dots are
 * not included: people write them in messages.
 */
const TWINS =
  '[\\u02b9-\\u02cb\\u02dc\\u05f3\\u05f4\\u060d\\u0660\\u066a\\u066b\\u066d\\u06d4\\u06f0\\u0701-\\u0704\\u07f4\\u07f5\\u07fa' +
  '\\u1400\\u1433\\u1438\\u144a\\u2012\\u201a\\u2032-\\u203a\\u2041\\u204e-\\u205a\\u2212\\u2217\\u223c\\u2502\\u2758\\u2768-\\u2775' +
  '\\u3003\\u3014\\u3015\\u30a0\\ua4f8\\ua4f9\\ua778\\ua78b\\ua78c\\ufd3e\\ufd3f\\ufe4d-\\ufe6b]';

/** Characters that have no place in a command or a path: the other fullwidth ones, and unassigned and private-use code points. */
const INEXACT = `[\\uff01-\\uff5e\\uffe8]|${TWINS}|\\p{Co}|\\p{Cn}`;

/** Letters of other alphabets that look like Latin ones; marked in words that contain both. */
const FOREIGN_LETTER = new RegExp(
  '[\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3\u03c5\u03f2\u03f3\u03f9' +
    '\u0405\u0406\u0408\u0410\u0412\u0415\u0417\u041a\u041c-\u041e\u0420-\u0423\u0425\u042c\u0430\u0433\u0435\u043a\u043c-\u0440\u0441-\u0443\u0445\u044c\u0455\u0456\u0458' +
    '\u0474\u0475\u04ae\u04af\u04bb\u04bd\u04c0\u04cf\u0500\u0501\u050c\u051a-\u051d\u053c\u054d\u054f\u0555\u0563\u0566\u0570\u0578\u057c\u057d\u0581\u0584\u0585' +
    '\u13a0-\u13f5\ua4d0-\ua4fd]',
  'gu',
);
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LATIN = /[A-Za-z]/;
/** A word made up entirely of letters that look exactly like Latin ones. */
const DISGUISED =
  /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420-\u0422\u0425\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\d_]{2,}$/u;

/** Built only once a text is not plain: V8 goes through the Unicode tables for each pattern. */
const PATTERNS = new Map<Exactness, RegExp>();

function patternFor(exactness: Exactness): RegExp {
  const made = PATTERNS.get(exactness) ?? makePattern(exactness);
  PATTERNS.set(exactness, made);
  return made;
}

function makePattern(exactness: Exactness): RegExp {
  if (exactness === 'prose') return pattern([...IN_PICTURES, ...IN_WORDS], []);
  return pattern(IN_PICTURES, exactness === 'code' ? [ODD_BLANKS, LOOKALIKES] : [BLANKS, LOOKALIKES, INEXACT]);
}

/** Groups: allowed, hidden, blanks, lookalikes. */
function pattern(fine: readonly string[], others: readonly string[]): RegExp {
  const [blanks, ...lookalikes] = others;
  const never = '(?!)';
  return new RegExp(`(${fine.join('|')})|(${HIDDEN})|(${blanks ?? never})|(${lookalikes.join('|') || never})`, 'gu');
}

const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROL = /\p{Cc}/u;

/**
 * Returns untrusted text made safe to display: what the user would not see or would mistake for something else appears as
 * ⟨U+202E⟩, including terminal control characters. Line ends and tabs stay. `onFound` is called with each kind that is marked.
 */
export function safeText(text: string, exactness: Exactness = 'prose', onFound?: (kind: Unseen) => void): string {
  if ((exactness === 'prose' ? PLAIN_PROSE : PLAIN).test(text)) return text;
  const lineEnds = exactness === 'prose' ? text.replaceAll('\r\n', '\n') : text;
  const words = exactness === 'prose' ? lineEnds : markForeignLetters(lineEnds, exactness, onFound);
  return words.replace(patternFor(exactness), (all: string, fine?: string, hidden?: string, blank?: string) => {
    if (fine !== undefined) return all;
    if (hidden !== undefined) {
      if (onFound) for (const kind of kindsOf(hidden)) onFound(kind);
      return markHidden(hidden);
    }
    onFound?.(blank === undefined ? 'lookalike' : 'blank');
    return blank === undefined ? `⟨${all} ${codeOf(all)}⟩` : `⟨${codeOf(all)}⟩`;
  });
}

/**
 * Like `safeText`, but as a single line of at most `max` characters with long gaps closed. A longer text is cut in the middle, so
 * that its end is visible.
 */
export function safeLine(text: string, max = 500, exactness: Exactness = 'prose'): string {
  // Text far longer than what is shown does not need to be scanned.
  const near = clipMiddle(text.trim(), max * 4);
  const joined = safeText(near, exactness)
    .replace(/\n(?:\s*\n)?/g, joinLines)
    .replaceAll('\t', ' ');
  return clipMiddle(closeGaps(joined), max);
}

function joinLines(gap: string): string {
  const ends = gap.split('\n').length - 1;
  return ends > MOST_LINE_ENDS ? `⟨+${ends} lines⟩` : '⏎'.repeat(ends);
}

function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 24) / 2);
  const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
  return `${head.replace(/[\ud800-\udbff]$/, '')} … +${text.length - 2 * half} … ${tail.replace(/^[\udc00-\udfff]/, '')}`;
}

function markForeignLetters(text: string, exactness: Exactness, onFound?: (kind: Unseen) => void): string {
  const pretends = (word: string) => LATIN.test(word) || (exactness === 'exact' && DISGUISED.test(word));
  return text.replace(WORD, (word) =>
    PLAIN.test(word) || !pretends(word)
      ? word
      : word.replace(FOREIGN_LETTER, (letter) => {
          onFound?.('lookalike');
          return `⟨${letter} ${codeOf(letter)}⟩`;
        }),
  );
}

function kindsOf(hidden: string): Unseen[] {
  const rest = hidden.replace(new RegExp(`${DIRECTION.source}|\\p{Cc}`, 'gu'), '');
  return [
    ...(CONTROL.test(hidden) ? ['control' as const] : []),
    ...(DIRECTION.test(hidden) ? ['direction' as const] : []),
    ...(rest === '' ? [] : ['invisible' as const]),
  ];
}

/** Up to this many consecutive line ends are shown as symbols; more are shown as a count. */
const MOST_LINE_ENDS = 4;

/** The number of characters of a run that are listed individually. */
const NAMED = 8;

function markHidden(run: string): string {
  const all = Array.from(run, codeOf);
  const more = all.length - NAMED;
  return `⟨${all.slice(0, NAMED).join(' ')}${more > 0 ? ` +${more}` : ''}⟩`;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const GAP = / {41,}|[\t\p{Zs}\u2800]{61,}/gu;

/** Shortens long runs of blanks within a line, which would push what follows out of sight. */
export function closeGaps(line: string): string {
  return line.replace(GAP, (blanks) => `⟨+${blanks.length} blanks⟩`);
}

/** The syntax that the editor renders as an icon in list and status bar labels. */
const ICON = /\$\((?=[\w-]+(?:~[\w-]+)?\))/g;

/** Returns untrusted text for such a label: one safe line, in which nothing becomes an icon. */
export function safeLabel(text: string, max = 200): string {
  return safeLine(text, max).replace(ICON, '\\$(');
}

/** A row of an editor list: its text may be untrusted, its icon is Cairn's. */
export interface Row {
  label: string;
  description?: string;
  detail?: string;
  /** The codicon before the label. */
  icon?: string;
}

/** Returns the row made safe to display: hidden characters in its text are visible, and nothing becomes an icon. */
export function safeRow<T extends Row>(row: T): T {
  const { icon, label, description, detail } = row;
  return {
    ...row,
    label: `${icon === undefined ? '' : `$(${icon}) `}${safeLabel(label)}`,
    ...(description !== undefined && { description: safeLabel(description) }),
    ...(detail !== undefined && { detail: safeLabel(detail, MAX_DETAIL) }),
  };
}

interface ListWords {
  title?: string | undefined;
  placeHolder?: string | undefined;
  placeholder?: string | undefined;
}

/** Returns the options of an editor list with the words above its rows, such as the name of a server, made safe to display. */
export function safeWords<T extends ListWords>(options: T): T {
  const { title, placeHolder, placeholder } = options;
  return {
    ...options,
    ...(title !== undefined && { title: safeLine(title) }),
    ...(placeHolder !== undefined && { placeHolder: safeLine(placeHolder) }),
    ...(placeholder !== undefined && { placeholder: safeLine(placeholder) }),
  };
}

const MAX_DETAIL = 400;

/** Returns untrusted text for an editor notification: one safe line, in which nothing becomes a link. */
export function safeNotice(text: string, max = 300): string {
  return safeLine(text, max).replaceAll('](', '] (');
}

/** Returns an untrusted name as a document name, which the editor shows as the title of its tab. */
export function safeFileName(name: string): string {
  return safeLine(name, 100, 'exact').replace(/[\\/]/g, ' ');
}

/** A line with hidden characters. */
export interface UnseenLine {
  /** From 1; `column` is that of the first hidden character. */
  line: number;
  column: number;
  /** The marks for the characters: "⟨U+202E⟩". */
  marks: string;
}

const MARK = /⟨U\+[^⟨⟩]*⟩/g;
const MOST_LINES = 10;
const MOST_MARKS = 3;

/** Returns the first lines of a prose text that contain invisible, direction-changing or control characters. */
export function unseenLines(text: string): UnseenLine[] {
  const found: UnseenLine[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    const marked = safeText(line);
    if (marked === line) continue;
    found.push({
      line: at + 1,
      column: sameLength(line, marked) + 1,
      marks: (marked.match(MARK) ?? []).slice(0, MOST_MARKS).join(' '),
    });
    if (found.length === MOST_LINES) break;
  }
  return found;
}

/** Returns the length of the common prefix. */
function sameLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
