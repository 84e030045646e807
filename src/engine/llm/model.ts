import * as z from '../../base/zod';
import type { Usage } from '../messages/message';

/** How long a model may think before it answers, from the least to the most, in the words that vendors share. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export const effortSchema = z.enum(EFFORTS);
export type Effort = z.infer<typeof effortSchema>;

/** The most that a model takes and that is no more than what is wanted; its least, where that is more. */
export function takenEffort(wanted: Effort, taken: readonly Effort[]): Effort | undefined {
  const byRank = EFFORTS.filter((one) => taken.includes(one));
  return byRank.findLast((one) => EFFORTS.indexOf(one) <= EFFORTS.indexOf(wanted)) ?? byRank[0];
}

const tokens = z._default(z.nullable(z.int().check(z.positive())), null);
const price = z.number().check(z.nonnegative());
const rates = {
  input: price,
  /** Null: charged like other input. */
  cachedInput: z._default(z.nullable(price), null),
  /** Null: charged like other input. */
  cacheWrite: z._default(z.nullable(price), null),
  output: price,
};

/** What is assumed of a model where nobody says otherwise. Providers that know better say so in `assumes`. */
export const DEFAULT_ABILITIES: Abilities = { tools: true, vision: false, thinking: false, caching: false };

const ability = z.exactOptional(z.boolean());
const abilitiesSchema = z.strictObject({
  /** Takes tools and calls them. */
  tools: ability,
  /** Takes pictures. */
  vision: ability,
  /** Thinks before it answers, and wants its thinking back. */
  thinking: ability,
  /** Caches the beginning of a conversation where it is marked. */
  caching: ability,
});
export type Abilities = Required<z.infer<typeof abilitiesSchema>>;

const pricesSchema = z.strictObject({
  ...rates,
  /** What the whole request costs when its input is longer than `above` tokens. */
  long: z._default(z.nullable(z.strictObject({ above: z.int().check(z.positive()), ...rates })), null),
});
export type Prices = z.infer<typeof pricesSchema>;

/** A model as a list describes it: what is absent or null is not known. Sizes in tokens, prices in USD per million. */
export const listedModelSchema = z.strictObject({
  /** `provider:model`. */
  id: z.string().check(z.regex(/^[^:\s]+:\S+$/, 'must be written provider:model')),
  label: z.string(),
  contextWindow: tokens,
  maxOutputTokens: tokens,
  prices: z._default(z.nullable(pricesSchema), null),
  abilities: z._default(abilitiesSchema, {}),
  /** The reasoning efforts that it takes; absent: not known. */
  efforts: z.exactOptional(z.array(effortSchema)),
});
export type ListedModel = z.infer<typeof listedModelSchema>;

/** A model with everything decided that a request depends on. */
export interface Model extends Omit<ListedModel, 'abilities'> {
  abilities: Abilities;
}

/** Fills in what a list left open; `assumed` is what its provider's models are like as a rule. */
export function knownModel(listed: ListedModel, assumed: Partial<Abilities> = {}): Model {
  return { ...listed, abilities: { ...DEFAULT_ABILITIES, ...assumed, ...listed.abilities } };
}

/** A model of which no list says anything. */
export function unlistedModel(id: string, assumed: Partial<Abilities> = {}): Model {
  return knownModel(listedModelSchema.parse({ id, label: id.slice(id.indexOf(':') + 1) }), assumed);
}

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
