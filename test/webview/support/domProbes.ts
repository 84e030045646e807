/** Evaluated in the page. The tests are compiled without DOM types, so each probe declares what it needs. */
interface Box {
  scrollTop: number;
  scrollHeight: number;
  clientHeight: number;
}

export function isConnected(node: { isConnected: boolean }): boolean {
  return node.isConnected;
}

export function scrollTop(box: Box): number {
  return box.scrollTop;
}

/** The distance from the view to the end. */
export function gapBelow(box: Box): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop;
}

export function hrefs(links: { getAttribute(name: string): string | null }[]): (string | null)[] {
  return links.map((link) => link.getAttribute('href'));
}
