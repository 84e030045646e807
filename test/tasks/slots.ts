interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
}

/** Limits concurrency. Among waiting work, the lowest rank is next. */
export class Slots {
  private waiting: Waiting[] = [];

  constructor(private free: number) {}

  /** Does the work once a slot is free. */
  async use<Result>(rank: number, work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((begin) => this.waiting.push({ rank, begin }));
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private leave(): void {
    const next = this.waiting.toSorted((a, b) => a.rank - b.rank)[0];
    this.waiting = this.waiting.filter((each) => each !== next);
    if (next) next.begin();
    else this.free += 1;
  }
}
