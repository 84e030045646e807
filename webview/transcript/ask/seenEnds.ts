import { type Disposable, Emitter, onDispose } from '../../../src/base/disposable';

/** An end in view for less than this was scrolled past, not read. */
const LOOK_MS = 300;

interface Mark {
  approvalId: string;
  isSeen: boolean;
  isInView: boolean;
  /** Runs while the mark is in view but has not been for long enough. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The requests the user has seen to the end. Marks after a request's contents indicate its end; a request can have several, and
 * one whose marks are collapsed has not been seen.
 */
export class SeenEnds implements Disposable {
  private readonly seen = new Set<string>();
  private readonly marks = new Map<Element, Mark>();
  private readonly changes: Emitter<undefined>;
  private readonly observer = new IntersectionObserver((entries) => this.moved(entries), { threshold: 0.5 });
  private awaited: { approvalId: string; act: (mark: Element) => void } | undefined;

  constructor(onListenerError: (error: unknown) => void) {
    this.changes = new Emitter<undefined>(onListenerError);
  }

  has(approvalId: string): boolean {
    return this.seen.has(approvalId);
  }

  /** Called when another request has been seen to its end. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Marks a request as seen elsewhere: its diff is open in the editor. */
  add(approvalId: string): void {
    if (this.seen.has(approvalId)) return;
    this.seen.add(approvalId);
    this.changes.emit(undefined);
  }

  /** Observes a mark after a request's contents, as long as it is rendered. */
  watch(approvalId: string, element: Element): Disposable {
    this.marks.set(element, { approvalId, isSeen: false, isInView: false, timer: undefined });
    this.observer.observe(element);
    if (this.awaited?.approvalId === approvalId) {
      const { act } = this.awaited;
      this.awaited = undefined;
      // By the second frame the list has restored its scroll position from before the card grew.
      requestAnimationFrame(() => requestAnimationFrame(() => act(element)));
    }
    return onDispose(() => {
      this.observer.unobserve(element);
      clearTimeout(this.marks.get(element)?.timer);
      this.marks.delete(element);
    });
  }

  /** Returns an end of the request, preferably one that still has to be shown; undefined if none is rendered. */
  markOf(approvalId: string): Element | undefined {
    const marks = [...this.marks].filter(([, mark]) => mark.approvalId === approvalId);
    return (marks.find(([, { isSeen, isInView }]) => !isSeen && !isInView) ?? marks.at(-1))?.[0];
  }

  /** Calls `act` once, when an end of the request is rendered. */
  whenDrawn(approvalId: string, act: (mark: Element) => void): void {
    this.awaited = { approvalId, act };
  }

  dispose(): void {
    this.observer.disconnect();
    for (const { timer } of this.marks.values()) clearTimeout(timer);
    this.marks.clear();
    this.changes.dispose();
  }

  private moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const mark = this.marks.get(target);
      if (!mark) continue;
      clearTimeout(mark.timer);
      mark.isInView = isIntersecting;
      if (isIntersecting) this.lookLater(target, mark);
    }
  }

  private lookLater(element: Element, mark: Mark): void {
    mark.timer = setTimeout(() => {
      // Nothing is visible behind the list of sessions, and there is no event when that closes.
      if (document.hidden || !element.checkVisibility({ visibilityProperty: true })) this.lookLater(element, mark);
      else this.saw(mark);
    }, LOOK_MS);
  }

  private saw(mark: Mark): void {
    mark.isSeen = true;
    const { approvalId } = mark;
    const own = [...this.marks.values()].filter((one) => one.approvalId === approvalId);
    if (own.every(({ isSeen }) => isSeen)) this.add(approvalId);
  }
}
