import { type Disposable, DisposableStore, onDispose } from '../../../src/base/disposable';
import type { SeenEnds } from './seenEnds';

/** A press within this time after a block appeared or moved was probably meant for what was there before. */
const STILL_MS = 300;
/** A block with less than this visible does not count as in view. */
const LEAST_PX = 24;
/** A smaller move keeps the block under the pointer; browsers round scroll positions. */
const SAME_PX = 4;
const BLOCKS = '[data-approval-id], [data-question-id], .edits';

interface Place {
  top: number;
  bottom: number;
  /** Distance from the top of the scrollable content. */
  depth: number;
}

interface Watched {
  /** The requests it represents: with different requests the same node counts as another block. */
  asks: string;
  place: Place;
  /** Since when it has not moved; null until first checked. */
  since: number | null;
  isSettled: boolean;
}

/**
 * Ensures that a request is answered only by input meant for it: by a pointer press that began after the request had stopped
 * moving in view, or by a key that was not already held down, on a button that the user focused when it already answered this
 * request. Buttons that allow it work only once its end has been seen; until then they scroll to the end.
 */
export class AskGuard implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly blocks = new Map<HTMLElement, Watched>();
  /** Requests that have been in view without moving. */
  private readonly seen = new Set<string>();
  private pressed: { block: Element; counts: boolean } | undefined;
  /** The requests of the block when it received focus. */
  private focused: { block: Element; asks: readonly string[] } | undefined;
  private frame: number | undefined;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly ends: SeenEnds,
    private readonly showEnd: (approvalIds: readonly string[]) => void,
  ) {
    const abort = new AbortController();
    const options = { signal: abort.signal, capture: true };
    scroller.addEventListener('scroll', () => this.moved(), { signal: abort.signal, passive: true });
    scroller.addEventListener('pointerdown', (event) => this.onPress(event), options);
    scroller.addEventListener('click', (event) => this.onClick(event), options);
    scroller.addEventListener('focusin', (event) => this.onFocus(event), options);
    scroller.addEventListener('keydown', (event) => this.onKey(event), options);
    document.addEventListener('visibilitychange', () => this.begin(), options);
    const sizes = new ResizeObserver(() => this.moved());
    sizes.observe(scroller);
    this.disposables.add(onDispose(() => abort.abort()));
    this.disposables.add(onDispose(() => sizes.disconnect()));
    this.disposables.add(onDispose(() => this.frame !== undefined && cancelAnimationFrame(this.frame)));
  }

  /** Returns why a key must not answer the request: it has not yet been in view without moving, or its end has not been seen. */
  unseenOf(id: string, answer: 'once' | 'reject'): 'all' | 'end' | null {
    if (!this.seen.has(id)) return 'all';
    return answer === 'once' && !this.ends.has(id) ? 'end' : null;
  }

  /** Something was rendered or may have moved. */
  moved(): void {
    const present = new Set(this.scroller.querySelectorAll<HTMLElement>(BLOCKS));
    for (const block of [...this.blocks.keys()]) if (!present.has(block)) this.forget(block);
    for (const block of present) this.watch(block);
    for (const [block, watched] of this.blocks) {
      if (!isSamePlace(this.placeOf(block), watched.place)) unsettle(block, watched);
    }
    if (present.size > 0) this.frame ??= requestAnimationFrame((now) => this.look(now));
  }

  /** The user scrolled, so blocks moving under the pointer are no surprise. */
  scrolledByHand(): void {
    for (const [block, watched] of this.blocks) watched.place = this.placeOf(block);
    this.moved();
  }

  dispose(): void {
    this.disposables.dispose();
    for (const block of [...this.blocks.keys()]) this.forget(block);
  }

  private placeOf(element: Element): Place {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom, depth: Math.round(top + this.scroller.scrollTop) };
  }

  private begin(): void {
    for (const [block, watched] of this.blocks) unsettle(block, watched);
    this.moved();
  }

  private watch(block: HTMLElement): void {
    const asks = asksOf(block).join(' ');
    const known = this.blocks.get(block);
    if (known?.asks === asks) return;
    const watched = { asks, place: this.placeOf(block), since: null, isSettled: false };
    this.blocks.set(block, watched);
    unsettle(block, watched);
  }

  private forget(block: HTMLElement): void {
    this.blocks.delete(block);
    block.removeAttribute('aria-disabled');
  }

  /** Checks every frame until nothing moves. */
  private look(now: number): void {
    this.frame = undefined;
    const view = this.scroller.getBoundingClientRect();
    let goesOn = false;
    for (const [block, watched] of this.blocks) {
      const place = this.placeOf(block);
      if (!isSamePlace(place, watched.place) || watched.since === null) {
        unsettle(block, watched);
        watched.place = place;
        watched.since = now;
      } else if (!watched.isSettled && now - watched.since >= STILL_MS) {
        watched.isSettled = true;
        block.removeAttribute('aria-disabled');
      }
      if (watched.isSettled && isInView(place, view)) for (const id of watched.asks.split(' ')) this.seen.add(id);
      goesOn ||= !watched.isSettled;
    }
    if (goesOn) this.frame = requestAnimationFrame((next) => this.look(next));
  }

  private onPress({ target }: Event): void {
    const block = blockOf(target);
    const watched = block && this.blocks.get(block);
    const place = block && this.placeOf(block);
    // A block that only changed its scroll position was scrolled by hand: moves by the layout are reported immediately.
    const isThere = !!place && !!watched && (isSamePlace(place, watched.place) || isSameDepth(place, watched.place));
    const counts = isThere && watched.isSettled;
    this.pressed = block ? { block, counts } : undefined;
    if (block && !counts) this.moved();
  }

  private onClick(event: MouseEvent): void {
    const block = blockOf(event.target);
    const { pressed } = this;
    this.pressed = undefined;
    if (!block) return;
    // Keys and screen readers click without a pointer press.
    const counts = event.detail > 0 ? pressed?.block === block && pressed.counts : this.isMeant(block);
    const unseen = isAllowing(event.target) ? asksOf(block).filter((id) => !this.ends.has(id)) : [];
    if (!counts || unseen.length > 0) stop(event);
    if (counts && unseen.length > 0) this.showEnd(unseen);
  }

  private onFocus({ target }: Event): void {
    const block = blockOf(target);
    this.focused = block ? { block, asks: asksOf(block) } : undefined;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const block = blockOf(event.target);
    if (block && isButton(event.target) && (event.repeat || !this.isMeant(block))) stop(event);
  }

  /** Whether all requests of the block were there when the user focused it, or have been seen. */
  private isMeant(block: HTMLElement): boolean {
    const { focused } = this;
    const known = focused?.block === block ? focused.asks : [];
    return asksOf(block).every((id) => known.includes(id) || this.seen.has(id));
  }
}

function unsettle(block: HTMLElement, watched: Watched): void {
  watched.since = null;
  watched.isSettled = false;
  block.setAttribute('aria-disabled', 'true');
}

/** Returns the innermost block: a row in a card of several edits is a block itself. */
function blockOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(BLOCKS) : null;
}

function asksOf(block: HTMLElement): string[] {
  const all = [block, ...block.querySelectorAll<HTMLElement>('[data-approval-id]')];
  return all.flatMap(({ dataset }) => dataset['approvalId'] ?? dataset['questionId'] ?? []);
}

function isSamePlace(one: Place, other: Place): boolean {
  return Math.abs(one.top - other.top) < SAME_PX && Math.abs(one.bottom - other.bottom) < SAME_PX;
}

function isSameDepth(one: Place, other: Place): boolean {
  return Math.abs(one.depth - other.depth) < SAME_PX;
}

function isInView(place: Place, view: DOMRect): boolean {
  const seen = Math.min(place.bottom, view.bottom) - Math.max(place.top, view.top);
  return seen > 0 && seen >= Math.min(LEAST_PX, place.bottom - place.top);
}

function isAllowing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-allows]') !== null;
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('button, vscode-button, [role=button]');
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
