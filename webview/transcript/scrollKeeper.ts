import { type Disposable, DisposableStore, Emitter, onDispose } from '../../src/base/disposable';
import type { EntryWindow } from './entryWindow';

/** A scroll later than this after a user's input may be caused by the layout. */
const INTENT_MS = 300;
/** Closer to the end than this counts as at the end. */
const NEAR_PX = 24;

type Place = 'end' | { index: number; offset: number };

/** Saves the scroll position across reloads, by entry id. */
interface AnchorKeeper {
  read(): Place;
  write(place: Place): void;
}

/**
 * Keeps the scroll position: at the end while text streams, or at what the user is reading when heights above it change. Only the
 * user's scrolling changes it.
 */
export class ScrollKeeper implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly atEndChanges = this.disposables.add(new Emitter<boolean>((error) => reportError(error)));
  private readonly byHand = this.disposables.add(new Emitter<undefined>((error) => reportError(error)));
  private place: Place = 'end';
  /** The position last set by this class: the scroll event that follows is not the user's. */
  private ownTop = -1;
  /** The height of the content at that time. */
  private ownHeight = -1;
  private intentAt = -Infinity;
  /** The user was following the end when taken to something, and has not scrolled since. */
  private isOnVisit = false;
  private top = 0;
  private frame: number | undefined;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly entries: EntryWindow,
    private readonly kept: AnchorKeeper,
  ) {
    const sizes = new ResizeObserver(() => this.settle());
    sizes.observe(scroller);
    this.disposables.add(onDispose(() => sizes.disconnect()));
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: true };
    scroller.addEventListener('scroll', () => this.scrolled(), options);
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const) {
      scroller.addEventListener(type, (event) => this.tried(event), options);
    }
    scroller.addEventListener('input', ({ target }) => this.holdFor(target), options);
    scroller.addEventListener('scrollend', () => this.kept.write(this.place), options);
    this.disposables.add(onDispose(() => abort.abort()));
    this.disposables.add(onDispose(() => this.frame !== undefined && cancelAnimationFrame(this.frame)));
  }

  get atEnd(): boolean {
    return this.place === 'end';
  }

  onAtEnd(listener: (atEnd: boolean) => void): Disposable {
    return this.atEndChanges.on(listener);
  }

  /** Called when the user scrolled, as opposed to the layout. */
  onScrolledByHand(listener: () => void): Disposable {
    return this.byHand.on(listener);
  }

  toEnd(): void {
    this.jump('end');
    this.kept.write('end');
  }

  /** Restores the saved position. */
  restore(): void {
    this.jump(this.kept.read());
  }

  /** Scrolls the entry to the top of the view. */
  toTopOf(index: number): void {
    this.jump({ index, offset: 0 });
    this.kept.write(this.place);
  }

  /** Scrolls a mounted entry into view with as little movement as possible, and stops following the end. */
  reveal(element: Element): void {
    this.entries.measure();
    element.scrollIntoView({ block: 'nearest' });
    this.isOnVisit = false;
    this.scrolled();
  }

  /** Like `reveal`, until `comeBack`. */
  visit(element: Element): void {
    const isOnVisit = this.isOnVisit || this.atEnd;
    this.reveal(element);
    this.isOnVisit = isOnVisit;
  }

  /** Follows the end again if `visit` led away from it and the user has not scrolled since. */
  comeBack(): void {
    if (this.isOnVisit) this.toEnd();
  }

  /** Scrolls a part of a mounted entry into view. */
  revealRange(range: Range): void {
    this.entries.measure();
    showRange(range, this.scroller);
    this.scrolled();
  }

  /** Mounts what should be in view now. */
  refresh(): void {
    this.frame = undefined;
    this.entries.show(this.wantedTop(), this.viewHeight);
  }

  /** Restores the position after heights have changed, before the paint. */
  settle(): void {
    if (!this.atEnd && this.fits) this.setPlace('end');
    this.setTop();
    // Deferred, because entries mounted while sizes are being reported are themselves reported only with the next frame.
    if (!this.entries.covers(this.top, this.viewHeight)) this.frame ??= requestAnimationFrame(() => this.refresh());
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private tried({ type, target }: Event): void {
    this.intentAt = performance.now();
    // A press or key within an entry may answer what the visit is for.
    if (type === 'wheel' || type === 'touchmove' || target === this.scroller) this.isOnVisit = false;
  }

  /** Whether all of it is in view, so that nothing remains to scroll to. */
  private get fits(): boolean {
    const { clientHeight, scrollHeight } = this.scroller;
    return this.entries.height > 0 && clientHeight > 0 && scrollHeight <= clientHeight;
  }

  /** Keeps an edited message in place: following the end would push it out of view as it grows. */
  private holdFor(target: EventTarget | null): void {
    if (this.place !== 'end' || !(target instanceof HTMLElement) || !target.closest('.editing')) return;
    const { scrollTop } = this.scroller;
    const index = this.entries.indexAt(scrollTop);
    this.setPlace({ index, offset: scrollTop - this.entries.top(index) });
  }

  private get viewHeight(): number {
    return this.scroller.clientHeight || window.innerHeight;
  }

  /** Mounts before scrolling, so that no frame is blank. */
  private jump(place: Place): void {
    this.isOnVisit = false;
    this.setPlace(place);
    this.refresh();
    if (!this.scroller.isConnected) return;
    this.entries.measure();
    this.setTop();
    this.refresh();
  }

  private wantedTop(): number {
    if (this.place === 'end') return this.entries.height - this.viewHeight;
    return this.entries.top(this.place.index) + this.place.offset;
  }

  private setTop(): void {
    const wanted = this.place === 'end' ? this.scroller.scrollHeight : this.wantedTop();
    if (Math.abs(this.scroller.scrollTop - wanted) >= 0.5) this.scroller.scrollTop = wanted;
    this.ownTop = this.scroller.scrollTop;
    this.ownHeight = this.scroller.scrollHeight;
    this.top = this.ownTop;
  }

  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (clientHeight === 0) return;
    if (this.atEnd && scrollHeight !== this.ownHeight && performance.now() - this.intentAt > INTENT_MS) {
      // Content above became shorter and the browser scrolled along; the user did not leave the end.
      return this.settle();
    }
    const isByHand = Math.abs(scrollTop - this.ownTop) >= 1;
    if (isByHand) {
      this.intentAt = performance.now();
      this.ownTop = -1;
      const index = this.entries.indexAt(scrollTop);
      const isEnd = scrollHeight - clientHeight - scrollTop < NEAR_PX;
      this.setPlace(isEnd ? 'end' : { index, offset: scrollTop - this.entries.top(index) });
    }
    this.top = scrollTop;
    this.entries.show(scrollTop, clientHeight);
    if (isByHand) this.byHand.emit(undefined);
  }

  private setPlace(place: Place): void {
    const wasAtEnd = this.atEnd;
    this.place = place;
    if (this.atEnd !== wasAtEnd) this.atEndChanges.emit(this.atEnd);
  }
}

/** Scrolls every container between the range and `scroller`, inclusive, so that the range is visible. */
function showRange(range: Range, scroller: Element): void {
  const { startContainer } = range;
  let box: Element | null = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  for (; box && scroller.contains(box); box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if (overflowX === 'auto' || overflowX === 'scroll') scrollAside(box, range);
    if (overflowY === 'auto' || overflowY === 'scroll') scrollAlong(box, range);
  }
}

function scrollAside(box: Element, range: Range): void {
  const view = box.getBoundingClientRect();
  const mark = range.getBoundingClientRect();
  if (mark.left < view.left || mark.right > view.right) box.scrollLeft += mark.left - view.left - view.width / 3;
}

function scrollAlong(box: Element, range: Range): void {
  const view = box.getBoundingClientRect();
  const mark = range.getBoundingClientRect();
  // Leaves room for the find bar, which overlays the top.
  const isSeen = mark.top >= view.top + 48 && mark.bottom <= view.bottom - 8;
  if (!isSeen) box.scrollTop += mark.top - view.top - view.height / 3;
}

/** The number of entries kept in the document for a selection. */
const MOST = 300;

/** Returns the entries in which a text selection starts, ends, or that it spans. */
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
