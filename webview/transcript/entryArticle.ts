import { safeLine } from '../../src/base/shown/safeText';
import { entryLabel } from './entryLabel';
import type { EntryProps } from './entryProps';

/** The node of an entry, without what stands in it. */
export function createArticle(props: EntryProps, fresh: boolean): HTMLElement {
  const { entry } = props;
  const article = document.createElement('article');
  article.className = fresh ? 'entry fresh' : 'entry';
  article.dataset['kind'] = entry.kind;
  article.dataset['entryId'] = entry.id;
  article.tabIndex = entry.kind === 'user' || entry.kind === 'text' ? 0 : -1;
  dressArticle(article, props);
  return article;
}

/** What tells of the entry's state on its node. */
export function dressArticle(article: HTMLElement, { entry, grouped }: EntryProps): void {
  article.ariaLabel = safeLine(entryLabel(entry));
  if (entry.kind === 'text') article.dataset['streaming'] = String(entry.streaming);
  if (entry.kind === 'notice') article.dataset['level'] = entry.level;
  if (entry.kind === 'agent') article.dataset['status'] = entry.status;
  if (entry.kind === 'tool') {
    article.dataset['tool'] = entry.tool;
    article.dataset['status'] = entry.status;
  }
  article.classList.toggle('grouped', grouped);
}
