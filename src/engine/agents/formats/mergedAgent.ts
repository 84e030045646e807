import { isConfigRoot } from '../../content/filesBelow';
import { agentDefaults, type AgentDefinition } from '../agentDefinition';

/**
 * Adds to an agent what OpenCode's settings say of the agent of that name: its file counts more, as in OpenCode. Undefined if the
 * earlier agent is not in such settings, or if one of the two is the user's and the other the workspace's.
 */
export function mergedAgent(earlier: AgentDefinition, later: AgentDefinition): AgentDefinition | undefined {
  const { scope, world, path } = earlier.source;
  if (!isConfigRoot({ world, folder: path }) || later.source.world !== world || later.source.scope !== scope)
    return undefined;
  const defaults: Readonly<Record<string, unknown>> = { ...agentDefaults(), prompt: '' };
  const said = Object.entries(later).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]));
  return {
    ...earlier,
    ...Object.fromEntries(said),
    // Those of all agents and the agent's own, of which the last match counts.
    rules: [...earlier.rules, ...later.rules],
    limits: { ...earlier.limits, ...later.limits },
    skills: { ...earlier.skills, ...later.skills },
  };
}
