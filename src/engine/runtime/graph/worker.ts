import { agentDefaults, type AgentDefinition } from '../../agents/agentDefinition';
import { mapToolNames } from '../../content/mapToolNames';
import { COYOTE_TOOLS } from '../../content/toolNames';
import type { LlmWork } from '../../graphs/desk';
import { budgetLimits, type GraphBudget } from '../../graphs/graph';
import { lowerLimits } from '../../run/stopConditions';

const SERVER = 'mcp:';

/** The tools that load skills. */
const SKILL_TOOLS = 'skill__*';

/** Whether a node's model needs more than a single answer: tools, or skills that it may load. */
export function hasTools(graph: Pick<AgentDefinition, 'skills'>, work: Pick<LlmWork, 'tools' | 'skills'>): boolean {
  return work.tools.length > 0 || loadsSkills(skillsOf(graph, work));
}

function loadsSkills({ on, names = [] }: AgentDefinition['skills']): boolean {
  return on === true || (on !== false && names.length > 0);
}

/** Builds the agent for a node, from the node's settings and the source, rules, and folder of the graph's agent. */
export function workerOf(graph: AgentDefinition, work: LlmWork): AgentDefinition {
  const servers = work.tools.filter((name) => name.startsWith(SERVER)).map((name) => name.slice(SERVER.length));
  const named = work.tools.filter((name) => !name.startsWith(SERVER));
  const { tools } = mapToolNames(work.tools, COYOTE_TOOLS, 'Coyote');
  const skills = skillsOf(graph, work);
  const { model, temperature, topP } = work;
  const worker: AgentDefinition = {
    ...agentDefaults(),
    name: `${graph.name}/${work.node}`,
    source: graph.source,
    rules: graph.rules,
    folder: graph.folder,
    description: `The node ${work.node} of ${graph.name}`,
    prompt: work.instructions,
    hidden: true,
    tools: loadsSkills(skills) ? [...tools, SKILL_TOOLS] : tools,
    ownTools: named,
    servers,
    skills,
    limits: { turns: work.maxTurns },
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    spawning: { ...agentDefaults().spawning, on: named.some((name) => name.startsWith('agent__')) },
  };
  return budgeted(worker, work.budget);
}

/** Limits an agent to a node's budget. */
export function budgeted(agent: AgentDefinition, budget: GraphBudget | undefined): AgentDefinition {
  if (!budget) return agent;
  return { ...agent, limits: lowerLimits(agent.limits, budgetLimits(budget)) };
}

/** A node's skill settings override its graph's. */
function skillsOf(
  { skills: graph }: Pick<AgentDefinition, 'skills'>,
  { skills }: Pick<LlmWork, 'skills'>,
): AgentDefinition['skills'] {
  return { ...graph, ...skills };
}
