import { costOf, type Model } from '../llm/model';

/** What is known of a model. */
export type KnownModel = Pick<Model, 'contextWindow' | 'maxOutputTokens' | 'prices'>;

/** The most that requests can use. */
export interface DryTotal {
  /** Maximum number of requests to models by the graph's own nodes on this path. */
  readonly mostRequests: number;
  /** Maximum number of their tokens, if each fills the context of its model; null if no maximum is known. */
  readonly mostTokens: number | null;
  /** Maximum cost of that; null if no maximum is known. */
  readonly mostCostUsd: number | null;
  /** Models that are asked but whose context size is unknown. */
  readonly unknownSizes: readonly string[];
  /** Models that are asked but whose prices are unknown. */
  readonly unknownPrices: readonly string[];
}

/** Adds up what requests can use at most. */
export class DryCosts {
  private readonly requests = new Map<string, number>();

  constructor(private readonly describe: (model: string) => KnownModel | undefined) {}

  add({ model, requests }: { readonly model: string; readonly requests: number }): void {
    this.requests.set(model, (this.requests.get(model) ?? 0) + requests);
  }

  get total(): DryTotal {
    const asked = [...this.requests].filter(([, requests]) => requests > 0);
    const most = asked.map(([model, requests]) => ({ model, requests, ...mostOfRequest(this.describe(model)) }));
    const lacking = (key: 'tokens' | 'hasPrices') => most.flatMap((one) => (one[key] ? [] : [one.model]));
    const [unknownSizes, unknownPrices] = [lacking('tokens'), lacking('hasPrices')];
    const sum = (key: 'tokens' | 'costUsd') => most.reduce((all, one) => all + one.requests * (one[key] ?? 0), 0);
    return {
      mostRequests: most.reduce((all, { requests }) => all + requests, 0),
      mostTokens: unknownSizes.length > 0 ? null : sum('tokens'),
      mostCostUsd: unknownSizes.length + unknownPrices.length > 0 ? null : Number(sum('costUsd').toFixed(6)),
      unknownSizes,
      unknownPrices,
    };
  }
}

interface MostOfRequest {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly hasPrices: boolean;
}

/** Input and output may each be as long as the model allows, and the input may cost the price of writing it to a cache. */
function mostOfRequest(model: KnownModel | undefined): MostOfRequest {
  const { contextWindow: window = null, maxOutputTokens: written = null, prices = null } = model ?? {};
  const hasPrices = prices !== null;
  if (window === null) return { hasPrices };
  const usage = { inputTokens: window, outputTokens: Math.min(written ?? window, window) };
  const tokens = usage.inputTokens + usage.outputTokens;
  if (!prices) return { tokens, hasPrices };
  // Some prices apply only to short requests, and are not always lower.
  const rates = [prices, ...(prices.long ? [prices.long] : [])].map((one) => ({ ...one, long: null }));
  const costs = rates.flatMap((one) => [
    costOf(usage, { prices: one }) ?? 0,
    costOf({ ...usage, cacheWriteTokens: window }, { prices: one }) ?? 0,
  ]);
  return { tokens, costUsd: Math.max(...costs), hasPrices };
}
