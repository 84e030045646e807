import { type Disposable, DisposableStore, onDispose } from '../../src/base/disposable';
import { Emitter } from '../../src/base/emitter';
import type { EntryWindow } from './entryWindow';

/** A scroll this long after something that the person did may be the layout's. */
const INTENT_MS = 300;
/** Nearer to the end than this counts as at the end. */
const NEAR_PX = 24;

type Place = 'end' | { index: number; offset: number };

/** Keeps the place over reloads; entries are told by their ids there. */
export interface AnchorKeeper {
  read(): Place;
  write(place: Place): void;
}

/**
 * Holds the place: at the end while text streams, or what the person reads, wherever heights above it change. Only a
 * scroll of the person changes it.
 */
export class ScrollKeeper implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly atEndChanges = this.disposables.add(new Emitter<boolean>((error) => reportError(error)));
  private readonly byHand = this.disposables.add(new Emitter<undefined>((error) => reportError(error)));
  private place: Place = 'end';
  /** Where we scrolled to ourselves: the event that follows is not the person's. */
  private ownTop = -1;
  /** How high everything was then. */
  private ownHeight = -1;
  private intentAt = -Infinity;
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
      scroller.addEventListener(type, () => (this.intentAt = performance.now()), options);
    }
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

  /** Told when the person scrolled, and not the layout. */
  onScrolledByHand(listener: () => void): Disposable {
    return this.byHand.on(listener);
  }

  toEnd(): void {
    this.jump('end');
    this.kept.write('end');
  }

  /** Goes to the place that was kept. */
  restore(): void {
    this.jump(this.kept.read());
  }

  /** Puts the entry at the top of the view. */
  toTopOf(index: number): void {
    this.jump({ index, offset: 0 });
    this.kept.write(this.place);
  }

  /** Shows an entry that is mounted, scrolling as little as needed; the end is no longer followed then. */
  reveal(element: Element): void {
    this.entries.measure();
    element.scrollIntoView({ block: 'nearest' });
    this.scrolled();
  }

  /** Shows a part of an entry that is mounted. */
  revealRange(range: Range): void {
    this.entries.measure();
    showRange(range, this.scroller);
    this.scrolled();
  }

  /** Mounts what belongs into the view now. */
  refresh(): void {
    this.frame = undefined;
    this.entries.show(this.wantedTop(), this.viewHeight);
  }

  /** After heights have changed, before the paint: puts the place back where it was. */
  settle(): void {
    this.setTop();
    // Not at once: what is mounted while sizes are being reported is reported with the next frame only.
    if (!this.entries.covers(this.top, this.viewHeight)) this.frame ??= requestAnimationFrame(() => this.refresh());
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private get viewHeight(): number {
    return this.scroller.clientHeight || window.innerHeight;
  }

  /** Mounts first and scrolls then, so that no frame is blank. */
  private jump(place: Place): void {
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
      // What is above became shorter and the browser moved along: nobody wanted to leave the end.
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

/** Scrolls everything between the range and `scroller`, both included, so that the range is seen. */
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
  // Below the find bar, which stands over the top.
  const isSeen = mark.top >= view.top + 48 && mark.bottom <= view.bottom - 8;
  if (!isSeen) box.scrollTop += mark.top - view.top - view.height / 3;
}

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
