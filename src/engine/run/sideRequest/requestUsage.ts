import { estimateMessage } from '../../context/estimateTokens';
import type { ScopedEmitter } from '../../events/scopedEmitter';
import type { CollectedReply } from '../../llm/collectReply';
import { costOf, type Model } from '../../llm/model';
import { tokensOf, type Usage } from '../../messages/message';

/** `estimated`: the vendor did not count it. */
export type CountUsage = (usage: Usage, estimated?: boolean) => void;

/**
 * Counts all that a request used, tries that broke off included. What the vendor did not count is estimated, so that limits hold
 * there too; a request that was refused before the model began is free.
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

/** What a request used as the vendor counted it, each try apart, the answer last. */
export function reportedBy({ message, lost }: CollectedReply): Usage[] {
  return [...lost, message.usage].flatMap((usage) => (usage ? [usage] : []));
}

function countOr(usage: Usage | undefined, outputTokens: number, inputTokens: () => number, count: CountUsage): void {
  // Some hosts report that they counted nothing.
  if (usage && tokensOf(usage) > 0) count(usage);
  else count({ inputTokens: inputTokens(), outputTokens }, true);
}

export interface SideUsagePlace {
  session: { usedAside(model: string, usage: Usage): Promise<void> };
  emitter: ScopedEmitter;
}

/** Keeps with the session, and tells, what a request used that is no part of the conversation. */
export async function keepSideUsage({ session, emitter }: SideUsagePlace, model: Model, usage: Usage): Promise<void> {
  await session.usedAside(model.id, usage);
  const costUsd = costOf(usage, model);
  emitter.emit({ type: 'usage-reported', model: model.id, usage, contextWindow: null, costUsd, aside: true });
}
