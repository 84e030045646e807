import { Worker } from 'node:worker_threads';
import { AbortError } from '../../base/abort';
import { EngineError, type MarkupItem, type MarkupQuery, type PageText } from '../../engine';
import type { PageQuestion } from './pageWorker';
import { plainPageText } from './plainPageText';

/** Elements of a page that are laid out; documentation pages have a few thousand. */
const MAX_ELEMENTS = 60_000;

/** Elements within each other; what a browser shows has some dozens. */
const MAX_DEPTH = 400;

/** They have no end tag. */
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
/** A page that takes longer is one that was made to, or one that nobody wants to read as a whole. */
const TIME_LIMIT_MS = 10_000;
/** Room for the documents of the largest pages that are looked at. */
const HEAP_LIMIT_MB = 512;

export interface PageParts {
  html: string;
  /** Of the page, for its relative links. */
  url: string;
  /** The file that the thread runs; undefined: every page comes as plain text. */
  worker: string | undefined;
}

/**
 * A page as Markdown, made in a thread of its own with limits of time and memory, so that no page can hold up the process.
 * One that breaks them comes as plain text. Rejects with AbortError when aborted.
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

/** Parts of a text, found in such a thread. Rejects with EngineError `io` when a limit is broken, and with AbortError. */
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

/** Undefined when the thread broke, or did not end in time. */
function inThread<Answer>(
  file: string,
  question: PageQuestion,
  signal: AbortSignal,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
      // What a page makes a library say is of no use to anybody.
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
      // An error that it meets while it is ended is of no interest either.
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

/** True for a page with more or deeper elements than can be laid out in good time. Looks at each character once. */
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
