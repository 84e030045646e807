import { matchesWildcard } from '../../../base/wildcard';
import type { AgentDefinition } from '../../agents/agentDefinition';
import type { Role } from '../../roles/role';
import type { ServerNames, ToolUser, WantedScripts, WantsTool } from '../../tools/toolSource';
import type { RunPlan } from '../runPlan';
import { isNamed } from './defaultTools';

/** Which MCP servers are given to agents that name none, and by which other names servers are known. */
export interface WantedServers {
  /** IDs, other names, or `all`. Absent: all. */
  readonly enabled?: readonly string[] | undefined;
  readonly mapping: ServerNames;
}

/**
 * Returns a test for which server tools an agent in a role gets: those that both include. `enabled`: the servers of an agent that
 * names none.
 */
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

/** A list of servers decides; without one the list of tools does, and without either everything is included. */
function wishOf({ servers, tools }: Wish): WantsTool {
  if (servers) return (server) => servers.includes('all') || servers.includes(server);
  if (tools === null) return () => true;
  const patterns = tools.flatMap((name) => (/^mcp__(?:(?!__).)+$/.test(name) ? [`${name}__*`] : [name]));
  return (_server, tool) =>
    tool === undefined
      ? patterns.some((pattern) => pattern === '*' || pattern.startsWith('mcp'))
      : patterns.some((pattern) => matchesWildcard(pattern, tool));
}

/** The parts of a plan that may name tools. */
export type NamingTools = Pick<RunPlan, 'agent' | 'role' | 'onlyTools'>;

/** Returns a test for whether the agent, its role, the request, or the user names an on-request tool. */
export function asksFor({ agent, role, onlyTools }: NamingTools, { enabled }: WantedScripts): ToolUser['names'] {
  return (tool) => [agent.tools, role?.tools, onlyTools, enabled].some((list) => isNamed(list, tool));
}
