import * as z from 'zod/mini';

/** What usage is grouped by in the plot and the table below it. */
export const USAGE_GROUPS = ['model', 'agent', 'folder'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** So many days can be looked at, today among them. */
export const USAGE_DAYS = [7, 30, 90, 365] as const;

const named = z.nullable(z.string().check(z.maxLength(4000)));

const usageFilter = z.object({
  days: z.union(USAGE_DAYS.map((days) => z.literal(days))),
  by: z.enum(USAGE_GROUPS),
  measure: z.enum(['cost', 'tokens']),
  /** Null: every one. */
  model: named,
  agent: named,
  folder: named,
});
export type UsageFilter = z.infer<typeof usageFilter>;

/** What a page in an editor tab asks its host for. */
export const pageAction = z.discriminatedUnion('kind', [
  /** The page is there and wants to be told what to show. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('filter-usage'), filter: usageFilter }),
  z.object({ kind: z.literal('export-usage') }),
]);
export type PageAction = z.infer<typeof pageAction>;

/** All that has a name in common. */
export interface UsageRow {
  name: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** As far as prices are known. */
  costUsd: number;
  /** Requests whose price is not known. */
  unpriced: number;
}

export interface UsageView {
  page: 'usage';
  filter: UsageFilter;
  /** What can be chosen, most costly first. */
  choices: Readonly<Record<UsageGroup, readonly string[]>>;
  /** What the colours of the plot stand for; the last may be all others together. */
  series: readonly string[];
  /** Each day of the period, in order, with a value for each of the series. */
  plot: readonly { day: string; values: readonly number[] }[];
  /** Days without requests are left out. */
  days: readonly UsageRow[];
  rows: readonly UsageRow[];
  total: UsageRow;
  /** What could not be read. */
  problems: readonly string[];
}

/** All that a page shows. */
export type PageView = UsageView;
