/** More than this is not kept in the document for the sake of a selection. */
const MOST = 300;

/** The entries that a selection of text begins in, ends in and runs through. */
export function selectedEntries(feed: HTMLElement, indexOf: (element: Element | null) => number | undefined): number[] {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [];
  const ends = [selection.anchorNode, selection.focusNode]
    .filter((node) => node !== null && feed.contains(node))
    .map((node) => indexOf(node instanceof Element ? node : (node?.parentElement ?? null)))
    .filter((index) => index !== undefined);
  if (ends.length === 0) return [];
  const first = Math.min(...ends);
  const count = Math.min(MOST, Math.max(...ends) - first + 1);
  return Array.from({ length: count }, (_, at) => first + at);
}
