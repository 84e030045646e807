import type { Usage } from '../../messages/message';

type Count = number | null | undefined;

/**
 * Usage of what a vendor counted; `input` includes what was cached. Nothing is said of caches that were not used. Less than
 * nothing counts as nothing, so that no answer gives a limit back.
 */
export function reportedUsage(counts: { input: Count; output: Count; cached?: Count; written?: Count }): Usage {
  return {
    inputTokens: count(counts.input),
    outputTokens: count(counts.output),
    ...(count(counts.cached) > 0 && { cachedInputTokens: count(counts.cached) }),
    ...(count(counts.written) > 0 && { cacheWriteTokens: count(counts.written) }),
  };
}

function count(tokens: Count): number {
  return Math.max(0, tokens ?? 0);
}
