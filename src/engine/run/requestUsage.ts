import { estimateMessage } from '../context/estimateTokens';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { CollectedReply } from '../llm/collectReply';
import { costOf, type Model } from '../llm/model';
import { tokensOf, type Usage } from '../messages/message';

/** `estimated`: the vendor did not report the usage. */
export type CountUsage = (usage: Usage, estimated?: boolean) => void;

/**
 * Counts everything a request used, including tries that broke off. Usage that the vendor did not report is estimated, so that
 * limits still apply; a request that was rejected before the model began is free.
 */
export function countReply(
  { message, failure, lost }: CollectedReply,
  inputTokens: () => number,
  count: CountUsage,
): void {
  for (const usage of lost) countOr(usage ?? undefined, 0, inputTokens, count);
  const hasBegun = message.parts.length > 0 || !failure || failure.reason === 'cut-stream';
  if (message.usage || hasBegun) countOr(message.usage, estimateMessage(message), inputTokens, count);
}

/** Returns a request's usage as reported by the vendor: each try separately, the answer last. */
export function reportedBy({ message, lost }: CollectedReply): Usage[] {
  return [...lost, message.usage].flatMap((usage) => (usage ? [usage] : []));
}

function countOr(usage: Usage | undefined, outputTokens: number, inputTokens: () => number, count: CountUsage): void {
  // Some hosts report zero usage.
  if (usage && tokensOf(usage) > 0) count(usage);
  else count({ inputTokens: inputTokens(), outputTokens }, true);
}

export interface SideUsagePlace {
  session: { usedAside(model: string, usage: Usage): Promise<void> };
  emitter: ScopedEmitter;
}

/** Stores with the session, and reports, the usage of a request outside the conversation. */
export async function keepSideUsage({ session, emitter }: SideUsagePlace, model: Model, usage: Usage): Promise<void> {
  await session.usedAside(model.id, usage);
  const costUsd = costOf(usage, model);
  emitter.emit({ type: 'usage-reported', model: model.id, usage, contextWindow: null, costUsd, aside: true });
}
