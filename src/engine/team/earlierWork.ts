import { EngineError } from '../engineError';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { ChildReport } from '../tools/team/teamDesk';
import { childId, exitOf } from './child';

/** How far an agent came that was started for a piece of work which is not done. */
export type EarlierWork =
  /** It has answered, and whoever waited for that went away before. */
  | { readonly kind: 'answered'; readonly report: ChildReport }
  /** Its session is there to go on in; `isTold`: it knows already what it is to do. */
  | { readonly kind: 'begun'; readonly sessionId: string; readonly isTold: boolean }
  /** Nothing is there that could be gone on with. */
  | { readonly kind: 'none' };

export const NO_WORK: EarlierWork = { kind: 'none' };

/** What became of the work in a session of an agent that one of the session `parentId` started. */
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
  // Another process may have gone on with it.
  await session.catchUp();
  const end = session.history.findLast((entry) => entry.type === 'run-finished');
  const outcome = !session.interrupted && end?.type === 'run-finished' ? end.outcome : undefined;
  // What a person refused is asked for anew, and not argued about.
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
