import type { Usage } from '../../messages/message';

type Count = number | null | undefined;

/** Usage of what a vendor counted; `input` includes what was cached. Nothing is said of caches that were not used. */
export function reportedUsage(counts: { input: Count; output: Count; cached?: Count; written?: Count }): Usage {
  return {
    inputTokens: counts.input ?? 0,
    outputTokens: counts.output ?? 0,
    ...(counts.cached && { cachedInputTokens: counts.cached }),
    ...(counts.written && { cacheWriteTokens: counts.written }),
  };
}
