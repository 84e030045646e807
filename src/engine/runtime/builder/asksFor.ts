import type { ToolUser, WantedScripts } from '../../tools/toolSource';
import type { RunPlan } from '../runPlan';
import { isNamed } from './defaultTools';

/** What of a plan may name tools. */
export type NamingTools = Pick<RunPlan, 'agent' | 'role' | 'onlyTools'>;

/** Whether an agent in a role, what is asked of it, or the person names a tool that only those have who name it. */
export function asksFor({ agent, role, onlyTools }: NamingTools, { enabled }: WantedScripts): ToolUser['names'] {
  return (tool) => [agent.tools, role?.tools, onlyTools, enabled].some((list) => isNamed(list, tool));
}
