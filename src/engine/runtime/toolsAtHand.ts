import type { AgentDefinition } from '../agents/agentDefinition';
import { ToolRegistry } from '../tools/toolRegistry';
import type { ToolUser } from '../tools/toolSource';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import { wantsTool } from './builder/wantsTool';
import type { RunPlan } from './runPlan';

/** What says which tools there are. */
export type ToolParts = Pick<AgentRuntimeParts, 'tools' | 'toolSource' | 'scope' | 'wantedScripts'>;

/** Every tool that a program may call in a workspace, whatever the agent wants by whose rules it is judged. */
export async function toolsForProgram(
  parts: ToolParts,
  workspace: string,
  { agent, variables }: Pick<RunPlan, 'agent' | 'variables'>,
): Promise<ToolRegistry> {
  const free = { agent: { ...agent, tools: null, servers: ['all'] }, role: undefined };
  return (await toolsAtHand(parts, workspace, free, variables.values)).all;
}

/** Every tool that an agent could be given in a workspace: those of the engine, of servers that it wants, and of scripts. */
export async function toolsAtHand(
  { tools, toolSource, scope, wantedScripts }: ToolParts,
  workspace: string,
  { agent, role }: Pick<RunPlan, 'agent' | 'role'>,
  variables: ReadonlyMap<string, string>,
): Promise<{ all: ToolRegistry; notices: readonly string[] }> {
  const { current } = tools;
  if (!toolSource) return { all: current, notices: [] };
  const { trusted, isHeard = trusted } = scope();
  const place = { workspace, isHeard, scripts: wantedScripts() };
  const found = await toolSource.toolsFor(place, wantsTool(agent, role), toolUser(agent, variables));
  // A name that a program took is the program's.
  const more = found.tools.filter(({ name }) => !current.names.includes(name));
  return { all: more.length > 0 ? new ToolRegistry([...current.all, ...more]) : current, notices: found.notices };
}

/** What of an agent counts for what its scripts are given. */
export function toolUser({ name, folder, source }: AgentDefinition, variables: ReadonlyMap<string, string>): ToolUser {
  return { agent: name, folder, isOfWorkspace: source.scope === 'workspace', variables };
}
