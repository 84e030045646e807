import type { AgentDefinition } from './agentDefinition';
import { targetAction } from './formats/permissionMap';

/**
 * The agents that one may start, sorted by name: all that are not primary, less those that its `permission.task` denies
 * (the last match wins; none means allowed when there is no `permission.task`, else denied) or that its list leaves out.
 * Lists of agents that come with Cairn leave out none that the person or the workspace brought.
 * With `headless` a target that must be asked about is none.
 */
export function callableTargets(
  caller: AgentDefinition,
  agents: readonly AgentDefinition[],
  { headless }: { headless: boolean },
): AgentDefinition[] {
  const { taskTargets, spawning } = caller;
  return agents
    .filter(({ mode }) => mode !== 'primary')
    .filter((agent) => spawning.agents === null || spawning.agents.includes(agent.name) || isBrought(agent, caller))
    .filter(({ name }) => {
      if (taskTargets === null) return true;
      const action = targetAction(taskTargets, name, 'deny');
      return action === 'allow' || (action === 'ask' && !headless);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isBrought({ source, hidden }: AgentDefinition, caller: AgentDefinition): boolean {
  return caller.source.scope === 'builtin' && source.scope !== 'builtin' && !hidden;
}
