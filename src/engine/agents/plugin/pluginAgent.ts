import { checkPlugin } from '../../checkPlugin';
import { MEMORY } from '../../content/contentProblem';
import { EngineError } from '../../engineError';
import type { AgentLoop } from '../../run/loop/agentLoop';
import { type AgentDefinition, agentDefaults } from '../agentDefinition';
import { pluginAgentSchema } from './pluginAgentSchema';

/** An agent that another extension or program brings: what it does not say is as for an agent in a file that says nothing. */
export interface PluginAgent extends Partial<Omit<AgentDefinition, 'name' | 'source' | 'loop'>> {
  name: string;
  /** Who uses it for what: what people and other agents choose by. */
  description: string;
  /** A loop of its own; without it the agent is a prompt, like one in a file. */
  loop?: AgentLoop;
}

/** Throws EngineError `invalid-input` when the name or a field does not fit. */
export function pluginAgent(agent: PluginAgent): AgentDefinition {
  checkPlugin('agent', agent, pluginAgentSchema);
  if (!/^[\w-]+(\/[\w-]+)*$/.test(agent.name)) {
    const rule = 'A name has letters, digits, “_” and “-”, and may be divided by “/”.';
    throw new EngineError('invalid-input', `An agent cannot be called “${agent.name}”. ${rule}`);
  }
  const defaults = agentDefaults();
  return {
    ...defaults,
    prompt: '',
    // A program decides by itself whom it starts.
    spawning: { ...defaults.spawning, on: agent.loop !== undefined },
    ...said(agent),
    source: { scope: 'user', world: 'cairn', path: MEMORY },
  };
}

/** Without the fields that are undefined, which would hide what an agent is that does not say them. */
function said(agent: PluginAgent): PluginAgent {
  const copy = { ...agent };
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  return copy;
}
