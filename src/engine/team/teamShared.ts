import type { Mutex } from '../../base/async';
import type { ApprovalMode, WorkMode } from '../permissions/modes';
import type { AgentSession } from '../sessions/agentSession';
import type { Escalations } from './escalations';

/** Shared by all agents of a run. */
export interface TeamShared {
  escalations: Escalations;
  /** Allows one approval prompt at a time in the whole team. */
  approvalTurns: Mutex;
  /** The session that the user sees: its rules apply to all agents, and "always" is stored there. */
  session: AgentSession;
  /** Id of the run in that session. */
  runId: string;
  approvalMode(): ApprovalMode;
  workMode(): WorkMode;
}
