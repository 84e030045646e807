/** Delay between updates of parts out of view. */
const PAUSE_MS = 50;
/** Minimum interval between visibility checks: with hundreds of parts they take time and delay frames. */
const LOOK_MS = 100;

/** Chromium's option for the interval of an observer, which the types lack. */
interface ObserverOptions extends IntersectionObserverInit {
  delay: number;
}

/**
 * Tracks which of a page's many parts are in view. Those are re-rendered with each change, so that a frame costs no more than
 * what is visible; the others follow a few at a time, so that screen readers get everything.
 */
export class SeenFirst {
  private readonly draws = new Map<Element, () => void>();
  private readonly unseen = new Set<Element>();
  /** Oldest first. */
  private readonly behind = new Set<Element>();
  private observer: IntersectionObserver | undefined;
  private timer: number | undefined;
  private shown: unknown;

  constructor(
    /** Selector of the scroll container. */
    private readonly within: string,
    /** Number of parts out of view to update at a time. */
    private readonly atATime: number,
  ) {}

  add(part: Element, draw: () => void): void {
    if (!this.observer) {
      const options: ObserverOptions = { root: part.closest(this.within), delay: LOOK_MS };
      this.observer = new IntersectionObserver((entries) => this.notice(entries), options);
    }
    this.draws.set(part, draw);
    this.observer.observe(part);
  }

  delete(part: Element): void {
    this.observer?.unobserve(part);
    for (const known of [this.draws, this.unseen, this.behind]) known.delete(part);
    if (this.draws.size > 0) return;
    this.observer?.disconnect();
    this.observer = undefined;
  }

  /** Sets what the parts show: redraws those in view, unless they were just drawn for the first time; the others follow later. */
  change(what: unknown): void {
    const before = this.shown;
    this.shown = what;
    if (before === undefined || before === what) return;
    for (const [part, draw] of this.draws) {
      if (this.unseen.has(part)) this.behind.add(part);
      else draw();
    }
    if (this.behind.size > 0) this.timer ??= window.setTimeout(() => this.follow(this.atATime), PAUSE_MS);
  }

  /** Resolves once everything is up to date. */
  async catchUp(): Promise<void> {
    this.follow(this.behind.size);
    // Rendering happens in microtasks.
    await new Promise((resolve) => setTimeout(resolve));
  }

  private notice(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) {
        this.unseen.add(target);
        continue;
      }
      this.unseen.delete(target);
      if (this.behind.delete(target)) this.draws.get(target)?.();
    }
  }

  private follow(most: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const part of [...this.behind].slice(0, most)) {
      this.behind.delete(part);
      this.draws.get(part)?.();
    }
    if (this.behind.size > 0) this.timer = window.setTimeout(() => this.follow(this.atATime), PAUSE_MS);
  }
}
