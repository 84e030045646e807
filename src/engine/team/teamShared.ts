import type { ApprovalMode } from '../permissions/defaultRuleset';
import type { WorkMode } from '../permissions/workMode';
import type { Mutex } from '../../base/mutex';
import type { AgentSession } from '../sessions/agentSession';
import type { Escalations } from './escalations';

/** What all agents of a run share. */
export interface TeamShared {
  escalations: Escalations;
  /** One question of approval at a time in the whole team. */
  approvalTurns: Mutex;
  /** The session that the person sees: its rules hold for all, and “always” is kept there. */
  session: AgentSession;
  /** Of the run in it. */
  runId: string;
  approvalMode(): ApprovalMode;
  workMode(): WorkMode;
}
