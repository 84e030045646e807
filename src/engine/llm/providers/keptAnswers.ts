import type { Clock } from '../../ports';

/** Answers that are asked for again only after a while; those who ask at the same time share one. */
export class KeptAnswers<Value> {
  private readonly known = new Map<string, { at: number; answer: Promise<Value> }>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly keepMs: number,
  ) {}

  get(name: string, ask: () => Promise<Value>): Promise<Value> {
    const now = this.clock.now();
    const found = this.known.get(name);
    if (found && now - found.at < this.keepMs) return found.answer;
    const answer = ask();
    this.known.set(name, { at: now, answer });
    return answer;
  }
}
