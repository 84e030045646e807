import { safeText } from '../../src/base/shown/safeText';

/** Marks in nodes that were made of Markdown what a person would not see: an entity can stand for it, too. */
export function makeSafe(root: DocumentFragment): void {
  const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node instanceof Text) node.data = safeText(node.data);
  }
  for (const element of root.querySelectorAll<HTMLElement>('[title]')) element.title = safeText(element.title);
}
