import type { AgentDefinition } from './agentDefinition';
import { targetAction } from './formats/permissionMap';

/**
 * Returns the agents that the caller may start, sorted by name: all that are not primary, except those that its `permission.task`
 * denies (the last match wins; without a match, an agent is allowed only if there is no `permission.task`) or that its list
 * omits. The lists of built-in agents never exclude visible agents of the user or the workspace. With `headless`, targets that
 * need an approval are excluded.
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
