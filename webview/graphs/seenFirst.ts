/** Delay between updates of parts out of view. */
const PAUSE_MS = 50;
/** Minimum interval between visibility checks: with hundreds of parts they take time and delay frames. */
const LOOK_MS = 100;

/** Chromium's option for the interval of an observer, which the types lack. */
interface ObserverOptions extends IntersectionObserverInit {
  delay: number;
}

/** How many parts are redrawn at a time. */
interface PartsAtATime {
  /** In each frame, of those in view. */
  readonly seen: number;
  /** After each pause, of those out of view. */
  readonly unseen: number;
}

/**
 * Tracks which of a page's many parts are in view. Those are redrawn first, some in each frame, so that no frame takes long; the
 * others follow a few at a time, so that screen readers get everything.
 */
export class SeenFirst {
  private readonly draws = new Map<Element, () => void>();
  private readonly unseen = new Set<Element>();
  /** Outdated parts in view. Oldest first. */
  private readonly due = new Set<Element>();
  /** Outdated parts out of view. Oldest first. */
  private readonly behind = new Set<Element>();
  private observer: IntersectionObserver | undefined;
  private frame: number | undefined;
  private timer: number | undefined;
  private isHidden = false;
  private shown: unknown;

  constructor(
    /** Selector of the scroll container. */
    private readonly within: string,
    private readonly atATime: PartsAtATime,
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
    for (const known of [this.draws, this.unseen, this.due, this.behind]) known.delete(part);
    if (this.draws.size > 0) return;
    this.observer?.disconnect();
    this.observer = undefined;
  }

  /** Sets what the parts show: redraws them in turn, those in view first, unless they were just drawn for the first time. */
  change(what: unknown): void {
    const before = this.shown;
    this.shown = what;
    if (before === undefined || before === what) return;
    for (const part of this.draws.keys()) (this.isHidden || this.unseen.has(part) ? this.behind : this.due).add(part);
    this.drawSoon();
  }

  /** While all parts are hidden, none is redrawn. Shown again, they are up to date at once. */
  hide(isHidden: boolean): void {
    if (this.isHidden === isHidden) return;
    this.isHidden = isHidden;
    if (!isHidden) this.drawAll();
  }

  /** Resolves once everything is up to date. */
  async catchUp(): Promise<void> {
    this.drawAll();
    // Rendering happens in microtasks.
    await new Promise((resolve) => setTimeout(resolve));
  }

  private notice(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) {
        this.unseen.add(target);
        if (this.due.delete(target)) this.behind.add(target);
        continue;
      }
      this.unseen.delete(target);
      if (!this.isHidden && this.behind.delete(target)) this.draws.get(target)?.();
    }
    this.drawSoon();
  }

  private drawSoon(): void {
    if (this.due.size > 0 && this.frame === undefined) this.drawDue();
    if (this.behind.size > 0 && !this.isHidden) this.timer ??= window.setTimeout(() => this.follow(), PAUSE_MS);
  }

  private drawDue(): void {
    this.draw(this.due, this.atATime.seen);
    this.frame = this.due.size > 0 ? requestAnimationFrame(() => this.drawDue()) : undefined;
  }

  private follow(): void {
    this.timer = undefined;
    if (!this.isHidden) this.draw(this.behind, this.atATime.unseen);
    this.drawSoon();
  }

  private drawAll(): void {
    this.draw(this.due, this.due.size);
    this.draw(this.behind, this.behind.size);
  }

  private draw(parts: Set<Element>, most: number): void {
    for (const part of [...parts].slice(0, most)) {
      parts.delete(part);
      this.draws.get(part)?.();
    }
  }
}
