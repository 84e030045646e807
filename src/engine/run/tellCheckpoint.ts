import type { ScopedEmitter } from '../events/scopedEmitter';
import type { AgentSession } from '../sessions/agentSession';
import { checkpointId, type CheckpointStep } from '../events/agentEvent';

/** Announces that the session can later be continued from its current last entry. Writes nothing. */
export function tellCheckpoint(
  { session, emitter }: { session: AgentSession; emitter: ScopedEmitter },
  step: CheckpointStep,
): void {
  const last = session.history.at(-1)?.id;
  if (last !== undefined) emitter.emit({ type: 'checkpoint-taken', id: checkpointId(last, step), step });
}
