import { matchesWildcard } from '../../../base/wildcard';
import type { AgentDefinition } from '../../agents/agentDefinition';
import type { Role } from '../../roles/role';
import type { ServerNames, ToolUser, WantedScripts, WantsTool } from '../../tools/toolSource';
import type { RunPlan } from '../runPlan';
import { isNamed } from './defaultTools';

/** Which MCP servers agents are given that name none, and by which other names servers are known. */
export interface WantedServers {
  /** Ids, other names, or `all`. Absent: all. */
  readonly enabled?: readonly string[] | undefined;
  readonly mapping: ServerNames;
}

/** Which tools of servers an agent in a role is given: what both of them want. `enabled`: for an agent that names no servers. */
export function wantsTool(agent: AgentDefinition, role: Role | undefined, enabled?: readonly string[]): WantsTool {
  const { tools } = agent;
  const servers = agent.servers ?? (tools?.some((name) => name.startsWith('mcp')) ? undefined : enabled);
  const ofRole = role && wishOf({ tools: role.tools, servers: role.servers.length > 0 ? role.servers : undefined });
  const wishes = [wishOf({ tools, servers }), ...(ofRole ? [ofRole] : [])];
  return (server, tool) => wishes.every((wants) => wants(server, tool));
}

interface Wish {
  servers: readonly string[] | undefined;
  tools: readonly string[] | null;
}

/** A list of servers says which ones; without it the list of tools does, and without that all are wanted. */
function wishOf({ servers, tools }: Wish): WantsTool {
  if (servers) return (server) => servers.includes('all') || servers.includes(server);
  if (tools === null) return () => true;
  const patterns = tools.flatMap((name) => (/^mcp__(?:(?!__).)+$/.test(name) ? [`${name}__*`] : [name]));
  return (_server, tool) =>
    tool === undefined
      ? patterns.some((pattern) => pattern === '*' || pattern.startsWith('mcp'))
      : patterns.some((pattern) => matchesWildcard(pattern, tool));
}

/** What of a plan may name tools. */
export type NamingTools = Pick<RunPlan, 'agent' | 'role' | 'onlyTools'>;

/** Whether an agent in a role, what is asked of it, or the person names a tool that only those have who name it. */
export function asksFor({ agent, role, onlyTools }: NamingTools, { enabled }: WantedScripts): ToolUser['names'] {
  return (tool) => [agent.tools, role?.tools, onlyTools, enabled].some((list) => isNamed(list, tool));
}
