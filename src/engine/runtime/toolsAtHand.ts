import type { AgentDefinition } from '../agents/agentDefinition';
import { ToolRegistry } from '../tools/toolRegistry';
import type { ToolUser } from '../tools/toolSource';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import type { RunPlan } from './runPlan';
import { asksFor, isNamed, type NamingTools, wantsTool } from './wantedTools';

/** What determines the available tools. */
type ToolParts = Pick<AgentRuntimeParts, 'tools' | 'toolSource' | 'scope' | 'wantedScripts' | 'wantedServers'>;

type Who = Pick<RunPlan, 'agent' | 'role'>;

/** Returns every tool that a program may call in a workspace, whatever the agent whose rules apply wants. */
export async function toolsForProgram(
  parts: ToolParts,
  workspace: string,
  { agent, variables }: Pick<RunPlan, 'agent' | 'variables'>,
): Promise<ToolRegistry> {
  const free = { agent: { ...agent, tools: null, servers: ['all'] }, role: undefined };
  return (
    await found(
      parts,
      workspace,
      free,
      toolUser(agent, variables.values, () => true),
    )
  ).all;
}

/** Returns every tool that an agent could be given in a workspace: the engine's, those of servers it wants, and scripts. */
export async function toolsAtHand(
  parts: ToolParts & Pick<AgentRuntimeParts, 'skills'>,
  workspace: string,
  who: NamingTools,
  variables: ReadonlyMap<string, string>,
): Promise<FoundTools> {
  const ofSkills = who.agent.skills.on === false ? [] : (await parts.skills.list()).flatMap(({ tools }) => tools);
  const asks = asksFor(who, parts.wantedScripts());
  const names = (tool: string) => asks(tool) || isNamed(ofSkills, tool);
  return found(parts, workspace, who, toolUser(who.agent, variables, names));
}

interface FoundTools {
  all: ToolRegistry;
  notices: readonly string[];
}

async function found(
  { tools, toolSource, scope, wantedScripts, wantedServers }: ToolParts,
  workspace: string,
  { agent, role }: Who,
  user: ToolUser,
): Promise<FoundTools> {
  const { current } = tools;
  if (!toolSource) return { all: current, notices: [] };
  const { trusted, isHeard = trusted } = scope();
  const { on, enabled, mapping } = wantedServers();
  const place = { workspace, isHeard, scripts: wantedScripts(), serverNames: mapping };
  const more = await toolSource.toolsFor(place, on ? wantsTool(agent, role, enabled) : () => false, user);
  // A name registered by a program belongs to the program.
  const fresh = more.tools.filter(({ name }) => !current.names.includes(name));
  return { all: fresh.length > 0 ? new ToolRegistry([...current.all, ...fresh]) : current, notices: more.notices };
}

/** Returns what an agent's scripts are given of it. */
export function toolUser(
  { name, folder, source }: AgentDefinition,
  variables: ReadonlyMap<string, string>,
  names: ToolUser['names'] = () => false,
): ToolUser {
  return { agent: name, folder, isOfWorkspace: source.scope === 'workspace', variables, names };
}
