/** Looked up in the page: the tests are compiled without its types, so each probe names what it needs. */
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

/** How far the end is below the view. */
export function gapBelow(box: Box): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop;
}

export function hrefs(links: { getAttribute(name: string): string | null }[]): (string | null)[] {
  return links.map((link) => link.getAttribute('href'));
}
