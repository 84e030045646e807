import * as z from '../../base/zod';
import type { Usage } from '../messages/message';

/** Reasoning efforts in the vendors' common terms, from least to most. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export const effortSchema = z.enum(EFFORTS);
export type Effort = z.infer<typeof effortSchema>;

/** Returns the highest effort the model accepts that does not exceed `wanted`, or its lowest if all exceed it. */
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

/** Abilities assumed when nothing else states them. Providers that know better do so in `assumes`. */
const DEFAULT_ABILITIES: Abilities = {
  tools: true,
  forcedCalls: true,
  vision: false,
  thinking: false,
  caching: false,
};

const ability = z.exactOptional(z.boolean());
const abilitiesSchema = z.strictObject({
  /** Accepts tools and calls them. */
  tools: ability,
  /** Can be told that it must call a tool, or which one. */
  forcedCalls: ability,
  /** Accepts images. */
  vision: ability,
  /** Thinks before it answers, and needs its thinking sent back. */
  thinking: ability,
  /** Caches a conversation's prefix where it is marked. */
  caching: ability,
});
export type Abilities = Required<z.infer<typeof abilitiesSchema>>;

const pricesSchema = z.strictObject({
  ...rates,
  /** Prices for the whole request when its input is longer than `above` tokens. */
  long: z._default(z.nullable(z.strictObject({ above: z.int().check(z.positive()), ...rates })), null),
});

/** A model as a list describes it; absent or null means unknown. Sizes in tokens, prices in USD per million. */
export const listedModelSchema = z.strictObject({
  /** `provider:model`. */
  id: z.string().check(z.regex(/^[^:\s]+:\S+$/, 'must be written provider:model')),
  label: z.string(),
  contextWindow: tokens,
  maxOutputTokens: tokens,
  prices: z._default(z.nullable(pricesSchema), null),
  abilities: z._default(abilitiesSchema, {}),
  /** The reasoning efforts it accepts. Absent: unknown. */
  efforts: z.exactOptional(z.array(effortSchema)),
});
export type ListedModel = z.infer<typeof listedModelSchema>;

/** A model with every value resolved that a request depends on. */
export interface Model extends Omit<ListedModel, 'abilities'> {
  abilities: Abilities;
}

/** Fills in what a list left open. `assumed`: what its provider's models usually support. */
export function knownModel(listed: ListedModel, assumed: Partial<Abilities> = {}): Model {
  return { ...listed, abilities: { ...DEFAULT_ABILITIES, ...assumed, ...listed.abilities } };
}

/** Describes a model that no list mentions. */
export function unlistedModel(id: string, assumed: Partial<Abilities> = {}): Model {
  return knownModel(listedModelSchema.parse({ id, label: id.slice(id.indexOf(':') + 1) }), assumed);
}

const MILLION = 1_000_000;

/** Returns the cost of a request in USD, computed from the reported tokens, or null when the model's prices are unknown. */
export function costOf(usage: Usage, { prices }: Pick<Model, 'prices'>): number | null {
  if (!prices) return null;
  const { inputTokens, outputTokens, cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const rates = prices.long && inputTokens > prices.long.above ? prices.long : prices;
  const plain = Math.max(0, inputTokens - cached - written);
  const input = plain * rates.input;
  const fromCache = cached * (rates.cachedInput ?? rates.input) + written * (rates.cacheWrite ?? rates.input);
  return (input + fromCache + outputTokens * rates.output) / MILLION;
}
