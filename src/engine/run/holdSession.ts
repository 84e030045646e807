import type { ScopedEmitter } from '../events/scopedEmitter';
import type { Clock } from '../ports';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionHold } from '../sessions/sessionStore';

const LOOK_AGAIN_MS = 200;

/**
 * Acquires the right to run in the session. While another window or process runs in it, waits and tells the user. Rejects with
 * AbortError when the signal aborts.
 */
export async function holdSession(
  session: AgentSession,
  { emitter, clock, signal }: { emitter: ScopedEmitter; clock: Clock; signal: AbortSignal },
): Promise<SessionHold> {
  let told = false;
  for (;;) {
    const hold = await session.hold();
    if (hold) {
      if (told) emitter.emit({ type: 'state-changed', state: 'thinking' });
      if (hold.changed) tell('This session continued in another window. What was said there is included here.');
      return hold;
    }
    if (!told) {
      emitter.emit({ type: 'state-changed', state: 'waiting-for-session' });
      tell('This session is running in another window. Cairn continues here when that run ends.');
    }
    told = true;
    await clock.sleep(LOOK_AGAIN_MS, signal);
  }

  function tell(text: string): void {
    emitter.emit({ type: 'notice', level: 'info', text });
  }
}
