import { EngineError } from '../engineError';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { ChildReport } from '../tools/team/teamDesk';
import { childId, exitOf } from './child';

/** The state of an agent that was started for unfinished work. */
export type EarlierWork =
  /** It has answered, but its caller had already ended. */
  | { readonly kind: 'answered'; readonly report: ChildReport }
  /** Its session can be continued; `isTold`: it already contains the task. */
  | { readonly kind: 'begun'; readonly sessionId: string; readonly isTold: boolean }
  /** There is nothing to continue. */
  | { readonly kind: 'none' };

export const NO_WORK: EarlierWork = { kind: 'none' };

/** Returns the state of the work in the session of an agent that the session `parentId` started. */
export async function earlierWork(
  sessionId: string,
  { agent, parentId }: { agent: string; parentId: string },
  sessions: SessionCatalog,
): Promise<EarlierWork> {
  const session = await sessions.open(sessionId).catch((error: unknown) => {
    if (EngineError.is(error)) return undefined;
    throw error;
  });
  if (session?.metadata.parent?.sessionId !== parentId || session.metadata.agent !== agent) return NO_WORK;
  // Another process may have continued it.
  await session.catchUp();
  const end = session.history.findLast((entry) => entry.type === 'run-finished');
  const outcome = !session.interrupted && end?.type === 'run-finished' ? end.outcome : undefined;
  // After a rejection, the user is asked again from scratch.
  if (outcome?.kind === 'rejected') return NO_WORK;
  if (outcome?.kind === 'completed') {
    const id = childId(agent, sessionId);
    return {
      kind: 'answered',
      report: { id, agent, session_id: sessionId, ...exitOf(outcome), output: outcome.answer },
    };
  }
  return { kind: 'begun', sessionId, isTold: session.messages.some(({ role }) => role === 'user') };
}
