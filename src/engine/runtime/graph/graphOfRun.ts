import type { AgentDefinition } from '../../agents/agentDefinition';
import type { AgentGraph } from '../../graphs/graphRunParts';
import type { RunContext } from '../../run/runContext';
import type { TeamMember } from '../../team/teamMember';

/** What a run of a graph is given. */
export interface GraphOfRun {
  readonly context: RunContext;
  readonly agent: AgentDefinition;
  readonly team: TeamMember;
  readonly file: AgentGraph;
  /** A message begins it; else it goes on where it was stopped. */
  readonly isNew: boolean;
}
