import type { ScopedEmitter } from '../events/scopedEmitter';
import type { AgentSession } from '../sessions/agentSession';
import { checkpointId, type CheckpointStep } from '../events/agentEvent';

/** Tells that the session can be gone on with from here later, by its last entry; writes nothing. */
export function tellCheckpoint(
  { session, emitter }: { session: AgentSession; emitter: ScopedEmitter },
  step: CheckpointStep,
): void {
  const last = session.history.at(-1)?.id;
  if (last !== undefined) emitter.emit({ type: 'checkpoint-taken', id: checkpointId(last, step), step });
}
