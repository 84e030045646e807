import { Worker } from 'node:worker_threads';
import { AbortError } from '../../base/abort';
import { EngineError, type MarkupItem, type MarkupQuery, type PageText } from '../../engine';
import type { PageQuestion } from './pageWorker';

/** Maximum number of elements to process; documentation pages have a few thousand. */
const MAX_ELEMENTS = 60_000;

/** Maximum nesting of elements; typical pages have a few dozen levels. */
const MAX_DEPTH = 400;

/** Elements without an end tag. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
/** A page that takes longer is malicious, or too large to read as a whole. */
const TIME_LIMIT_MS = 10_000;
/** Enough for the documents of the largest supported pages. */
const HEAP_LIMIT_MB = 512;

interface PageParts {
  html: string;
  /** The page's URL, for resolving relative links. */
  url: string;
  /** Script of the worker thread; undefined to return every page as plain text. */
  worker: string | undefined;
}

/**
 * Converts a page to Markdown in a worker thread with time and memory limits, so that no page can block the process. A page that
 * exceeds them is returned as plain text. Rejects with AbortError when aborted.
 */
export async function markdownOf(
  { html, url, worker }: PageParts,
  signal: AbortSignal,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<PageText> {
  if (signal.aborted) throw new AbortError();
  if (worker === undefined || isTooComplex(html)) return plain(html);
  return (await inThread<PageText>(worker, { kind: 'markdown', html, url }, signal, timeLimitMs)) ?? plain(html);
}

/** Extracts parts of a text in such a thread. Rejects with EngineError `io` if a limit is exceeded, and with AbortError. */
export async function itemsIn(
  { text, query, worker }: { text: string; query: MarkupQuery; worker: string | undefined },
  signal: AbortSignal,
): Promise<readonly MarkupItem[]> {
  if (signal.aborted) throw new AbortError();
  const question = { kind: 'items', text, query } as const;
  const items =
    worker === undefined || isTooComplex(text)
      ? undefined
      : await inThread<readonly MarkupItem[]>(worker, question, signal);
  if (items) return items;
  throw new EngineError('io', 'The page is too complex to parse.');
}

function plain(html: string): PageText {
  return { ...plainPageText(html), isPlain: true };
}

/** Resolves to undefined if the thread fails or times out. */
function inThread<Answer>(
  file: string,
  question: PageQuestion,
  signal: AbortSignal,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
      // Discards what libraries print about a page.
      stdout: true,
      stderr: true,
      env: {},
    });
    const late = setTimeout(() => settle(() => resolve(undefined)), timeLimitMs);
    const aborted = () => settle(() => reject(new AbortError()));
    const settle = (tell: () => void) => {
      clearTimeout(late);
      signal.removeEventListener('abort', aborted);
      thread.removeAllListeners();
      // Ignores errors while the thread is being stopped.
      thread.on('error', () => undefined);
      void thread.terminate().then(tell, tell);
    };
    signal.addEventListener('abort', aborted);
    thread.once('message', (answer: Answer) => settle(() => resolve(answer)));
    thread.once('error', () => settle(() => resolve(undefined)));
    thread.once('exit', () => settle(() => resolve(undefined)));
    thread.postMessage(question);
  });
}

/** Returns true if a page has too many or too deeply nested elements to process in time. Reads each character once. */
function isTooComplex(html: string): boolean {
  let elements = 0;
  let depth = 0;
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (slash === '/') {
      if (depth > 0) depth -= 1;
      continue;
    }
    elements += 1;
    if (!VOID.has(name.toLowerCase()) && tag !== '') depth += 1;
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return true;
  }
  return false;
}

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
