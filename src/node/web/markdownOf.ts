import { Worker } from 'node:worker_threads';
import { AbortError } from '../../base/abort';
import { EngineError, type MarkupItem, type MarkupQuery, type PageText } from '../../engine';
import type { PageQuestion } from './pageWorker';
import { plainPageText } from './plainPageText';

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

export interface PageParts {
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
