import type { Usage } from '../messages/message';
import type { Model } from './model';

const MILLION = 1_000_000;

/** What a request cost, in USD; null when the prices of the model are not known. Made of the reported tokens. */
export function costOf(usage: Usage, { prices }: Pick<Model, 'prices'>): number | null {
  if (!prices) return null;
  const { inputTokens, outputTokens, cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const rates = prices.long && inputTokens > prices.long.above ? prices.long : prices;
  const plain = Math.max(0, inputTokens - cached - written);
  const input = plain * rates.input;
  const fromCache = cached * (rates.cachedInput ?? rates.input) + written * (rates.cacheWrite ?? rates.input);
  return (input + fromCache + outputTokens * rates.output) / MILLION;
}
