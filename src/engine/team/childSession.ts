import { EngineError } from '../engineError';
import type { ApprovalMode } from '../permissions/defaultRuleset';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { SpawnRequest } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';

/** A new session for an agent that is started from another one, or the earlier one that it is to go on in. */
export async function childSession(
  agent: string,
  { sessionId, callId }: SpawnRequest,
  parent: { session: AgentSession; sessions: SessionCatalog; approvalMode: ApprovalMode },
): Promise<AgentSession> {
  const { session, sessions, approvalMode } = parent;
  if (sessionId === undefined) {
    const { workspace } = session.metadata;
    const lineage = { parent: { sessionId: session.id, callId } };
    return sessions.create({ workspace, model: null, name: null, agent, approvalMode, ...lineage });
  }
  const earlier = await sessions.open(sessionId).catch((error: unknown) => {
    if (!EngineError.is(error)) throw error;
    throw new ToolFailure('bad-arguments', `${error.message} Start a new agent without session_id.`);
  });
  const { metadata } = earlier;
  if (metadata.parent?.sessionId === session.id && metadata.agent === agent) return earlier;
  const hint = 'Start a new agent without session_id.';
  throw new ToolFailure('bad-arguments', `The session ${sessionId} is not one of ${agent} that you started. ${hint}`);
}
