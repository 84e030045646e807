import { matchesWildcard } from '../../base/wildcard';
import { deniedOutright } from '../permissions/deniedOutright';
import type { AnyTool } from '../tools/tool';
import type { AgentDefinition } from '../agents/agentDefinition';
import { teamOffer, type TeamPlace } from '../team/teamPrompt';

/** As much of a tool as decides who is offered it. */
export type ToolEntry = Pick<AnyTool, 'name' | 'category'>;
export type OfferedTool = Pick<AnyTool, 'name' | 'category' | 'traits'>;

/** Whether an agent may have a tool at all, be it by itself or through a skill: not one that its own rules deny whatever is called, nor one for which there is nobody to start. */
export function mayHave(agent: AgentDefinition, place: TeamPlace): (tool: OfferedTool) => boolean {
  const isOfUse = teamOffer(agent, place);
  return (tool) => isOfUse(tool) && !deniedOutright(tool, [agent.rules]);
}

/** Whether a list of names and wildcards names a tool; null names all. */
export function isListed(patterns: readonly string[] | null, { name }: ToolEntry): boolean {
  return patterns === null || patterns.some((pattern) => matchesWildcard(pattern, name));
}
