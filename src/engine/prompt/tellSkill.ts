import type { AgentEventBody } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { AgentSession } from '../sessions/agentSession';

/** Reports that a skill was loaded or unloaded, once that is kept. */
export async function tellSkill(
  happened: Extract<AgentEventBody, { type: 'skill-loaded' | 'skill-unloaded' }>,
  { session, emitter }: { session: Pick<AgentSession, 'note'>; emitter: ScopedEmitter },
): Promise<void> {
  await session.note(happened);
  emitter.emit(happened);
}
