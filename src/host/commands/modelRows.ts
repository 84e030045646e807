import { t } from '../../base/l10n';
import type { Model, ModelListing } from '../../engine';

/** A heading of the list, or a model below one. */
type ModelLine = { heading: string } | { listing: ModelListing; isCurrent: boolean };

/**
 * Lists the current model first, then the models by provider under its name, in order of first appearance. `unlisted` returns the
 * current model if no list includes it.
 */
export function modelLines(
  listings: readonly ModelListing[],
  current: string,
  unlisted: () => ModelListing | undefined,
): ModelLine[] {
  const chosen = listings.find(({ model }) => model.id === current) ?? unlisted();
  const providers = new Map<string, ModelListing[]>();
  for (const listing of listings) {
    if (listing === chosen) continue;
    const own = providers.get(listing.provider) ?? [];
    providers.set(listing.provider, own);
    own.push(listing);
  }
  return [
    ...(chosen ? [{ heading: t('Current') }, { listing: chosen, isCurrent: true }] : []),
    ...[...providers].flatMap(([provider, own]) => [
      { heading: provider },
      ...own.map((listing) => ({ listing, isCurrent: false })),
    ]),
  ];
}

/** Models that lack a key are hidden behind a row that adds one. The current model is always listed. */
export function isOffered({ model, ready, needsKey }: ModelListing, current: string): boolean {
  return ready || !needsKey || model.id === current;
}

/** "openai:gpt-5 · 400k context · $1.25 in, $10 out", with prices per million tokens. Unknown facts are left out. */
export function modelFacts({ id, contextWindow, prices }: Model): string {
  const size = contextWindow === null ? [] : [t('{0} context', sizeWords(contextWindow))];
  const price = prices ? [t('${0} in, ${1} out', priceWords(prices.input), priceWords(prices.output))] : [];
  return [id, ...size, ...price].join(' · ');
}

function sizeWords(tokens: number): string {
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${Number((tokens / 1_000_000).toFixed(1))}M`;
}

function priceWords(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(2);
}

/**
 * The models of an open list, in an order in which no row ever moves. The editor identifies a clicked row by its index, so a row
 * that moved at that moment would be mistaken for another.
 */
export class ModelArrivals<Listing extends { model: { id: string } }> {
  private early: readonly Listing[] = [];
  private late: readonly Listing[] = [];

  /** `known` is everything known so far, in the desired order. That order is kept as long as nothing `isShown`. */
  add(known: readonly Listing[], isShown: boolean): void {
    if (!isShown) {
      this.early = known;
      return;
    }
    const news = new Map(known.map((listing) => [listing.model.id, listing]));
    const renew = (listing: Listing) => news.get(listing.model.id) ?? listing;
    this.early = this.early.map(renew);
    this.late = this.late.map(renew);
    for (const { model } of [...this.early, ...this.late]) news.delete(model.id);
    this.late = [...this.late, ...news.values()];
  }

  rows(): { early: readonly Listing[]; late: readonly Listing[] } {
    return { early: this.early, late: this.late };
  }
}
