/** Elements whose contents are not readable text. */
const HIDDEN = ['script', 'style', 'noscript', 'template', 'iframe', 'svg', 'head'];
/** Elements that do not end a line. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'i',
  'kbd',
  'mark',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
]);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns the text of a page without its layout. Reads each character a bounded number of times, whatever the page contains. */
export function plainPageText(html: string): { title: string; markdown: string } {
  const lower = html.toLowerCase();
  const title = textBetween(html, lower, '<title', '</title');
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    const tag = tagAt(lower, open);
    // A `<` that does not start a tag is text.
    if (tag === null) parts.push('<');
    else if (tag.breaks) parts.push('\n');
    at = tag?.end ?? open + 1;
  }
  return { title, markdown: tidy(decoded(parts.join(''))) };
}

/** Returns the end of the tag, comment or hidden element that starts here; null if none does. */
function tagAt(lower: string, open: number): { end: number; breaks: boolean } | null {
  if (lower.startsWith('<!--', open)) return { end: after(lower, '-->', open + 4), breaks: false };
  const name = /^<[/!?]?([a-z][a-z0-9-]{0,40})?/.exec(lower.slice(open, open + 50))?.[1];
  if (name === undefined)
    return /^<[/!?]/.test(lower.slice(open, open + 2)) ? { end: after(lower, '>', open), breaks: false } : null;
  const end = after(lower, '>', open);
  if (lower[open + 1] === '/' || !HIDDEN.includes(name)) return { end, breaks: !INLINE.has(name) };
  const close = lower.indexOf(`</${name}`, end);
  return { end: close < 0 ? lower.length : after(lower, '>', close), breaks: true };
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function textBetween(html: string, lower: string, start: string, end: string): string {
  const open = lower.indexOf(start);
  if (open < 0) return '';
  const from = after(lower, '>', open);
  const to = lower.indexOf(end, from);
  return to < 0 ? '' : tidy(decoded(html.slice(from, to))).replaceAll('\n', ' ');
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });
}

/** A lone surrogate is not a character. */
function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** Collapses whitespace to single spaces and single empty lines. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[\t\r\f ]+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trim();
}
