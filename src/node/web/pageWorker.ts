import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { parentPort } from 'node:worker_threads';
import TurndownService from 'turndown';
import { parsePage } from './parsePage';

/** A page with an article shorter than so many characters is taken whole. */
const MIN_ARTICLE = 200;

/**
 * Runs in a thread of its own, which `markdownOf` ends when it takes too long: a page may be made so that laying it out
 * takes minutes, or more stack than there is.
 */
parentPort?.once('message', ({ html, url }: { html: string; url: string }) => {
  parentPort?.postMessage(htmlToMarkdown(html, url));
});

/** The readable part of a page as Markdown; the whole page where no part stands out. Links become absolute. */
export function htmlToMarkdown(html: string, url: string): { title: string; markdown: string } {
  const page = parsePage(html, url);
  const [named] = page.querySelectorAll('title');
  const title = named?.textContent?.trim() ?? '';
  const article = new Readability(page, { keepClasses: true, charThreshold: MIN_ARTICLE }).parse();
  const content = article?.content
    ? parseHTML(`<html><body>${article.content}</body></html>`).document.body
    : // It was taken apart in search of an article.
      parsePage(html, url).body;
  return { title: article?.title?.trim() || title, markdown: service().turndown(content).trim() };
}

function service(): TurndownService {
  const options = { headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' };
  return new TurndownService(options)
    .use(gfm)
    .remove(['title', 'script', 'style', 'noscript', 'template', 'iframe', 'form']);
}
