import type { AgentDefinition } from '../../agents/agentDefinition';
import type { AgentGraph } from '../../graphs/graphRunParts';
import type { RunContext } from '../../run/runContext';
import type { TeamMember } from '../../team/teamMember';

/** The inputs of a graph's run. */
export interface GraphOfRun {
  readonly context: RunContext;
  readonly agent: AgentDefinition;
  readonly team: TeamMember;
  readonly file: AgentGraph;
  /** True if a message starts it; otherwise it continues where it stopped. */
  readonly isNew: boolean;
}
