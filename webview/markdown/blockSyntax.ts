/** How the first lines of Markdown blocks are recognized. */
export type BlockStart = 'heading' | 'rule' | 'fence' | 'quote' | 'list' | 'indented' | 'html' | 'paragraph';

interface Fence {
  indent: number;
  mark: string;
  info: string;
}

interface ListMarker {
  /** Column where the item's content starts. */
  content: number;
  /** `-`, `*`, `+`, `.` or `)`: the same for all items of a list. */
  like: string;
  empty: boolean;
  /** True for a bullet or the number 1: only these can interrupt a paragraph. */
  interrupts: boolean;
}

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})([^]*)$/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const RULE = /^ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const MARKER = /^( {0,3})(?:([*+-])|(\d{1,9})([.)]))([ \t]+(?=\S)|[ \t]*$)/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const DELIMITER_ROW = /^ {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

const HTML_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|' +
  'tr|track|ul';
const ATTRIBUTE = ` +[a-zA-Z:_][\\w.:-]*(?: *= *"[^"\\n]*"| *= *'[^'\\n]*'| *= *[^\\s"'=<>\`]+)?`;

/** Raw HTML by its end condition: kinds 1 to 5 end at a mark, kinds 6 and 7 at a blank line. */
const HTML: readonly { start: RegExp; end: RegExp | null; interrupts: boolean }[] = [
  {
    start: /^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
    interrupts: true,
  },
  { start: /^ {0,3}<!--/, end: /-->/, interrupts: true },
  { start: /^ {0,3}<\?/, end: /\?>/, interrupts: true },
  { start: /^ {0,3}<![a-z]/i, end: />/, interrupts: true },
  { start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/, interrupts: true },
  { start: new RegExp(`^ {0,3}</?(?:${HTML_TAGS})(?: |/?>|$)`, 'i'), end: null, interrupts: true },
  {
    start: new RegExp(`^ {0,3}(?:<[a-z][\\w-]*(?:${ATTRIBUTE})*? */?>|</[a-z][\\w-]*\\s*>)[ \\t]*$`, 'i'),
    end: null,
    interrupts: false,
  },
];

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  const width = line.search(/\S/);
  return width < 0 ? line.length : line.slice(0, width).replace(/\t/g, '    ').length;
}

/** Returns the width of white space that starts at a column; a tab extends to the next multiple of four. */
function columns(space: string, from: number): number {
  let at = from;
  for (const char of space) at += char === '\t' ? 4 - (at % 4) : 1;
  return at - from;
}

export function parseFence(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  if (!match) return undefined;
  const [, indent = '', mark = '', info = ''] = match;
  return { indent: indent.length, mark, info: info.trim() };
}

export function closesFence(line: string, mark: string): boolean {
  const text = line.trim();
  return indentOf(line) <= 3 && text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

export function parseMarker(line: string): ListMarker | undefined {
  const match = MARKER.exec(line);
  if (!match) return undefined;
  const [whole, indent = '', bullet, number = '', delimiter = '', space = ''] = match;
  const empty = whole.length === line.length;
  const width = indent.length + (bullet ?? number + delimiter).length;
  // Five or more spaces start indented code inside the item, whose content then starts after one space.
  const gap = empty || space.length > 4 ? 1 : columns(space, width);
  const interrupts = !empty && (bullet !== undefined || number === '1');
  return { content: width + gap, like: bullet ?? delimiter, empty, interrupts };
}

/** Returns where raw HTML starting with this line ends: at the mark, or at a blank line (null). Undefined if it is not HTML. */
export function htmlStart(line: string): { end: RegExp | null; interrupts: boolean } | undefined {
  return HTML.find(({ start }) => start.test(line));
}

export function isSetextUnderline(line: string): boolean {
  return SETEXT.test(line);
}

/** Returns true if `row` turns the line before it into a table: the same number of cells, and a pipe. */
export function makesTable(header: string, row: string): boolean {
  if (!DELIMITER_ROW.test(row) || INDENTED.test(header)) return false;
  if (!header.includes('|')) return false;
  return row.includes('|') || row.includes(':') ? cells(header) === cells(row) : false;
}

function cells(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).length;
}

/** Returns the kind of block that a non-blank line starts if none is open. */
export function blockStart(line: string): BlockStart {
  if (INDENTED.test(line)) return 'indented';
  if (FENCE.test(line)) return 'fence';
  if (HEADING.test(line)) return 'heading';
  if (RULE.test(line)) return 'rule';
  if (QUOTE.test(line)) return 'quote';
  if (MARKER.test(line)) return 'list';
  if (htmlStart(line)) return 'html';
  return 'paragraph';
}

/** Returns true if the line ends a paragraph and starts a new block. */
export function interruptsParagraph(line: string): boolean {
  const start = blockStart(line);
  if (start === 'paragraph' || start === 'indented') return false;
  if (start === 'list') return parseMarker(line)?.interrupts ?? false;
  if (start === 'html') return htmlStart(line)?.interrupts ?? false;
  return true;
}
