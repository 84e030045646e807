import type { Disposable } from '../../src/base/disposable';
import type { StreamPage } from './streamPage';

/** Empties the pages of a long answer that are more than two screens away, and fills them before they come into view. */
export class PageWatch implements Disposable {
  private readonly pages = new Map<Element, StreamPage>();
  private seen: IntersectionObserver | undefined;
  private readonly widths = new ResizeObserver(() => this.resized());
  private width = 0;

  /** `body` holds the pages. */
  constructor(private readonly body: HTMLElement) {
    this.widths.observe(body);
  }

  /** Watches a page that gets no more blocks. */
  add(page: StreamPage): void {
    this.pages.set(page.element, page);
    this.seen?.observe(page.element);
  }

  dispose(): void {
    this.seen?.disconnect();
    this.widths.disconnect();
  }

  /** The first call comes when the answer is in the document, whose scrolling box is known then. */
  private resized(): void {
    const width = this.body.clientWidth;
    if (width === this.width || width === 0) return;
    // At another width the pages have other heights: all are laid out again.
    if (this.width > 0) for (const page of this.pages.values()) page.fill();
    this.width = width;
    this.seen?.disconnect();
    this.seen = new IntersectionObserver((changes) => this.moved(changes), {
      root: this.body.closest('.transcript'),
      rootMargin: '200% 0px',
    });
    for (const element of this.pages.keys()) this.seen.observe(element);
  }

  private moved(changes: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, rootBounds } of changes) {
      if (rootBounds === null || rootBounds.height === 0) continue;
      const page = this.pages.get(target);
      if (isIntersecting) page?.fill();
      else page?.empty();
    }
  }
}
