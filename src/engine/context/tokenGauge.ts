/** How far the last report moves the correction; a single odd report must not throw it. */
const WEIGHT = 0.5;
const BOUNDS = { lowest: 0.7, highest: 3 };

/** Puts the estimate of one conversation right by what the vendor reports. */
export class TokenGauge {
  private ratio = 1;
  private least: number | undefined;

  /** As many tokens, corrected, were more than the model can read; undefined while it took everything. */
  get tooMany(): number | undefined {
    return this.least === undefined ? undefined : this.correct(this.least);
  }

  /** The estimate as it should be. */
  correct(estimated: number): number {
    return Math.ceil(estimated * this.ratio);
  }

  /** `estimated` without correction, and what the vendor then counted for the same request. */
  report(estimated: number, counted: number): void {
    if (estimated <= 0 || counted <= 0) return;
    const moved = this.ratio + WEIGHT * (counted / estimated - this.ratio);
    this.ratio = Math.min(BOUNDS.highest, Math.max(BOUNDS.lowest, moved));
  }

  /** The model refused what was estimated so, without correction, as too long. */
  refused(estimated: number): void {
    this.least = Math.min(this.least ?? estimated, estimated);
  }
}
