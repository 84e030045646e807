import { type Disposable, DisposableStore, onDispose } from '../../src/base/disposable';
import { Emitter } from '../../src/base/emitter';
import type { ScrollAnchor } from '../store/viewState';

/** Nearer to the end than this counts as at the end. */
const NEAR = 24;

/** Where a list of entries is scrolled to, and how the place is found again. */
export interface AnchorPlaces {
  /** The entry at the top of the view. */
  find(): ScrollAnchor;
  /** How far the anchor's place is below the top of the view now; undefined when its entry is not there. */
  distance(anchor: Exclude<ScrollAnchor, 'end'>): number | undefined;
}

/** Follows the end while text streams, unless the person scrolled away; then what they read stays where it is. */
export class ScrollKeeper implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly atEndChanges = this.disposables.add(new Emitter<boolean>((error) => reportError(error)));
  private ownTop = -1;
  atEnd = true;

  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    private readonly places: AnchorPlaces,
    private readonly kept: { anchor: ScrollAnchor; setAnchor(anchor: ScrollAnchor): void },
  ) {
    const sizes = new ResizeObserver(() => this.atEnd && this.scrollToEnd());
    sizes.observe(content);
    sizes.observe(scroller);
    this.disposables.add(onDispose(() => sizes.disconnect()));
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: true };
    scroller.addEventListener('scroll', () => this.scrolled(), options);
    scroller.addEventListener('scrollend', () => this.kept.setAnchor(this.atEnd ? 'end' : this.places.find()), options);
    this.disposables.add(onDispose(() => abort.abort()));
  }

  onAtEnd(listener: (atEnd: boolean) => void): Disposable {
    return this.atEndChanges.on(listener);
  }

  toEnd(): void {
    this.setAtEnd(true);
    this.kept.setAnchor('end');
    this.scrollToEnd();
  }

  /** Goes to the place that was kept. */
  restore(): void {
    const { anchor } = this.kept;
    this.setAtEnd(anchor === 'end' || this.places.distance(anchor) === undefined);
    if (anchor === 'end' || this.atEnd) return this.scrollToEnd();
    this.scrollTo(anchor);
    // Pages far away get their real height only when they come near: a second look puts it right.
    requestAnimationFrame(() => this.scrollTo(anchor));
  }

  /** Shows an element without following the end any more. */
  reveal(element: HTMLElement): void {
    element.scrollIntoView({ block: 'nearest' });
    this.scrolled();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private scrollTo(anchor: Exclude<ScrollAnchor, 'end'>): void {
    const distance = this.places.distance(anchor);
    if (distance !== undefined) this.scroller.scrollTop += distance;
  }

  private scrollToEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.ownTop = this.scroller.scrollTop;
  }

  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (clientHeight === 0 || Math.abs(scrollTop - this.ownTop) < 1) return;
    this.ownTop = -1;
    this.setAtEnd(scrollHeight - clientHeight - scrollTop < NEAR);
  }

  private setAtEnd(atEnd: boolean): void {
    // While the end is followed, the browser must not hold on to something else.
    this.scroller.classList.toggle('follows-end', atEnd);
    if (this.atEnd === atEnd) return;
    this.atEnd = atEnd;
    this.atEndChanges.emit(atEnd);
  }
}
