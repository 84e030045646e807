import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import { costOf, type Model } from '../llm/model';
import { tokensOf, type Usage } from '../messages/message';
import type { CountUsage } from '../run/requestUsage';
import type { RunSpending } from '../run/runContext';
import { type LimitReached, lowerLimits, reachedLimit, type RunLimits } from '../run/stopConditions';
import type { Child } from './child';

interface SpendingParts {
  /** The parent of this agent. */
  above: { spending: Spending; child: Child } | undefined;
  /** What the agent may use, including its descendants. */
  limits: Pick<RunLimits, 'tokens' | 'costUsd'>;
  /** Maximum turns of all of them together; undefined: only the limits of each apply. */
  turns: number | undefined;
  /** Warns the user about what the limits cannot cover. */
  warn: (text: string) => void;
}

interface Amount {
  tokens: number;
  costUsd: number;
}

/** Expected output of a request, until a larger one occurs. */
const LIKELY_OUTPUT = 4_000;

/**
 * The account of an agent and its descendants. Each request is charged at the prices of the model that answered it, and checked
 * against every account above, so that all together stay within each limit.
 */
export class Spending implements RunSpending {
  private turns = 0;
  private readonly used: Amount = { tokens: 0, costUsd: 0 };
  /** Expected usage of the requests in progress, as far as it is known. */
  private readonly underWay = new Set<Amount>();
  private largestOutput = LIKELY_OUTPUT;
  private waiters: Deferred<void>[] = [];
  private readonly unpriced = new Set<string>();
  private readonly uncounted = new Set<string>();
  private limits: SpendingParts['limits'];

  constructor(private readonly parts: SpendingParts) {
    this.limits = parts.limits;
  }

  get total(): Amount {
    return this.used;
  }

  /** Also limits the account to a budget of which earlier runs of the same work have used `before`. */
  stayWithin({ tokens, costUsd }: SpendingParts['limits'], before: Readonly<Amount>): void {
    this.limits = lowerLimits(this.limits, {
      ...(tokens !== undefined && { tokens: tokens - before.tokens }),
      ...(costUsd !== undefined && { costUsd: costUsd - before.costUsd }),
    });
  }

  takeTurn(): LimitReached | undefined {
    const limit = this.reached();
    if (!limit) for (const account of this.accounts) account.turns++;
    return limit;
  }

  async request<T>(
    asked: { model: Model; inputTokens: () => number },
    ask: (count: CountUsage) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | LimitReached> {
    const { model } = asked;
    this.expect(model);
    const count: CountUsage = (usage, estimated = false) => {
      if (estimated) this.tellUncounted(model);
      this.count(usage, model);
    };
    const limited = this.accounts.filter(({ isLimited }) => isLimited);
    if (limited.length === 0) return ask(count);
    const expected = this.expected(model, asked.inputTokens());
    const refused = await this.admit(expected, limited, signal);
    if (refused) return refused;
    try {
      return await ask(count);
    } finally {
      for (const account of limited) account.settle(expected);
    }
  }

  /** This account and those above it. */
  private get accounts(): Spending[] {
    const { above } = this.parts;
    return [this, ...(above?.spending.accounts ?? [])];
  }

  private get isLimited(): boolean {
    const { tokens, costUsd } = this.limits;
    return tokens !== undefined || costUsd !== undefined;
  }

  private reached(): LimitReached | undefined {
    const outOfTurns = this.accounts.some(({ parts, turns }) => parts.turns !== undefined && turns >= parts.turns);
    return outOfTurns ? { kind: 'limit-reached', limit: 'turns' } : this.overspent();
  }

  /** A turn that has started may be finished. */
  private overspent(): LimitReached | undefined {
    const all = this.accounts.map(({ limits, used }) => reachedLimit(limits, used));
    return all.find((limit) => limit !== undefined);
  }

  /** Waits while the requests in progress may exhaust the remaining budget, since only one request may exceed a limit. */
  private async admit(
    expected: Amount,
    limited: readonly Spending[],
    signal: AbortSignal,
  ): Promise<LimitReached | undefined> {
    for (;;) {
      const limit = this.overspent();
      if (limit) return limit;
      const full = limited.find((account) => account.isSpokenFor);
      if (!full) break;
      const settled = new Deferred<void>();
      full.waiters.push(settled);
      await untilAborted(settled.promise, signal);
    }
    for (const { underWay } of limited) underWay.add(expected);
    return undefined;
  }

  private get isSpokenFor(): boolean {
    const sum = { ...this.used };
    for (const { tokens, costUsd } of this.underWay) {
      sum.tokens += tokens;
      sum.costUsd += costUsd;
    }
    return reachedLimit(this.limits, sum) !== undefined;
  }

  private expected(model: Model, inputTokens: number): Amount {
    const outputTokens = Math.min(model.maxOutputTokens ?? Infinity, this.largestOutput);
    const usage = { inputTokens, outputTokens };
    return { tokens: tokensOf(usage), costUsd: costOf(usage, model) ?? 0 };
  }

  private settle(expected: Amount): void {
    this.underWay.delete(expected);
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  private count(usage: Usage, model: Model): void {
    const costUsd = costOf(usage, model);
    const amount = { tokens: tokensOf(usage), costUsd: costUsd ?? 0 };
    for (const account of this.accounts) {
      account.used.tokens += amount.tokens;
      account.used.costUsd += amount.costUsd;
      account.largestOutput = Math.max(account.largestOutput, usage.outputTokens);
      account.parts.above?.child.spend(amount.tokens, costUsd);
    }
  }

  /** Warns once per run, through the topmost agent with a limit. */
  private tellUncounted({ id }: Pick<Model, 'id'>): void {
    const top = this.accounts.findLast(({ isLimited }) => isLimited);
    if (!top || top.uncounted.has(id)) return;
    top.uncounted.add(id);
    top.parts.warn(`${id} does not say how many tokens it uses, so the limit counts an estimate of them.`);
  }

  /**
   * Called before a request. If the prices of the model are unknown and there is a cost limit, warns once per run, through the
   * topmost agent with such a limit.
   */
  private expect(model: Pick<Model, 'id' | 'prices'>): void {
    if (model.prices) return;
    const top = this.accounts.findLast(({ limits }) => limits.costUsd !== undefined);
    if (!top || top.unpriced.has(model.id)) return;
    top.unpriced.add(model.id);
    const hint = 'Set a limit of turns, tokens or time as well.';
    top.parts.warn(`What ${model.id} costs is not known, so the limit of cost does not hold for it. ${hint}`);
  }
}
