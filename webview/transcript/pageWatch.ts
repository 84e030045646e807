import { type Disposable, DisposableStore, onDispose } from '../../src/base/disposable';
import type { StreamPage } from './streamPage';

/** Empties pages of a long answer that are more than two screens away, and fills them before they come into view or are copied. */
export class PageWatch implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly pages = new Map<Element, StreamPage>();
  private readonly far = new Set<StreamPage>();
  /** Distant pages that are rendered because of a selection or the focus. */
  private readonly held = new Set<StreamPage>();
  private seen: IntersectionObserver | undefined;
  private width = 0;

  /** `body` contains the pages. */
  constructor(private readonly body: HTMLElement) {
    const widths = new ResizeObserver(() => this.resized());
    widths.observe(body);
    this.disposables.add(onDispose(() => widths.disconnect()));
    this.disposables.add(onDispose(() => this.seen?.disconnect()));
    const abort = new AbortController();
    document.addEventListener('copy', () => this.fillSelected(), { signal: abort.signal, capture: true });
    document.addEventListener('selectionchange', () => this.emptyHeld(), { signal: abort.signal });
    this.disposables.add(onDispose(() => abort.abort()));
  }

  /** Watches a page that gets no more blocks. */
  add(page: StreamPage): void {
    this.pages.set(page.element, page);
    this.seen?.observe(page.element);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** First called when the answer is in the document, so that its scroll container is known. */
  private resized(): void {
    const width = this.body.clientWidth;
    if (width === this.width || width === 0) return;
    // A different width changes the heights of the pages, so all are laid out again.
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
      if (!page) continue;
      if (isIntersecting) this.comesNear(page);
      else this.goesFar(page);
    }
  }

  private comesNear(page: StreamPage): void {
    this.far.delete(page);
    this.held.delete(page);
    page.fill();
  }

  private goesFar(page: StreamPage): void {
    this.far.add(page);
    if (!page.empty()) this.held.add(page);
  }

  /** Runs before the browser copies the text, so that the whole selection is rendered. */
  private fillSelected(): void {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed) return;
    for (const page of this.far) {
      if (!selection.containsNode(page.element, true)) continue;
      page.fill();
      this.held.add(page);
    }
  }

  private emptyHeld(): void {
    if (document.getSelection()?.isCollapsed === false) return;
    for (const page of this.held) if (page.empty()) this.held.delete(page);
  }
}
