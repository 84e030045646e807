import { parentPort } from 'node:worker_threads';
import { htmlToMarkdown } from './htmlToMarkdown';

/**
 * Runs in a thread of its own, which `markdownOf` ends when it takes too long: a page may be made so that laying it out
 * takes minutes, or more stack than there is.
 */
parentPort?.once('message', ({ html, url }: { html: string; url: string }) => {
  parentPort?.postMessage(htmlToMarkdown(html, url));
});
