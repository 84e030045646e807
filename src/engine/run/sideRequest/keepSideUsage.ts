import type { ScopedEmitter } from '../../events/scopedEmitter';
import { costOf, type Model } from '../../llm/model';
import type { Usage } from '../../messages/message';

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
