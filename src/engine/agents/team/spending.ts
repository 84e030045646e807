import { costOf } from '../../llm/costOf';
import type { Model } from '../../llm/model';
import { tokensOf, type Usage } from '../../messages/message';
import type { Child } from './child';

export interface SpendingParts {
  /** Of the agent that started this one. */
  above: { spending: Spending; child: Child } | undefined;
  /** What the agent may cost; undefined without a limit. */
  limitUsd: number | undefined;
  /** Tells the person what the limit cannot do. */
  warn: (text: string) => void;
}

/** What an agent used up with those that it started, each request at the prices of the model that answered it. */
export class Spending {
  private tokens = 0;
  private costUsd = 0;
  private readonly unpriced = new Set<string>();

  constructor(private readonly parts: SpendingParts) {}

  get total(): { tokens: number; costUsd: number } {
    return { tokens: this.tokens, costUsd: this.costUsd };
  }

  add(usage: Usage, model: Model): void {
    this.expect(model);
    this.count(tokensOf(usage), costOf(usage, model) ?? 0);
  }

  /**
   * A model is going to be asked. Where its prices are not known and there is a limit of cost, that is said once in the run,
   * by the topmost agent that the limit holds for.
   */
  expect(model: Pick<Model, 'id' | 'prices'>): void {
    const { above, limitUsd, warn } = this.parts;
    if (model.prices || limitUsd === undefined) return;
    if (above?.spending.parts.limitUsd !== undefined) {
      above.spending.expect(model);
      return;
    }
    if (this.unpriced.has(model.id)) return;
    this.unpriced.add(model.id);
    const hint = 'Set a limit of turns, tokens or time as well.';
    warn(`What ${model.id} costs is not known, so the limit of cost does not hold for it. ${hint}`);
  }

  private count(tokens: number, costUsd: number): void {
    this.tokens += tokens;
    this.costUsd += costUsd;
    const { above } = this.parts;
    above?.child.spend(tokens, costUsd);
    above?.spending.count(tokens, costUsd);
  }
}
