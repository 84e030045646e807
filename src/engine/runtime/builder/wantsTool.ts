import { matchesWildcard } from '../../../base/wildcard';
import type { AgentDefinition } from '../../agents/agentDefinition';
import type { Role } from '../../roles/role';
import type { WantsTool } from '../../tools/toolSource';

/** Which tools of servers an agent in a role is given: what both of them want. */
export function wantsTool(agent: AgentDefinition, role: Role | undefined): WantsTool {
  const wishes = [wishOf(agent), ...(role ? [wishOf(role)] : [])];
  return (server, tool) => wishes.every((wants) => wants(server, tool));
}

/** A list of servers says which ones; without it the list of tools does, and without that all are wanted. */
function wishOf({ servers = [], tools }: { servers?: readonly string[]; tools: readonly string[] | null }): WantsTool {
  if (servers.length > 0) return (server) => servers.includes('all') || servers.includes(server);
  if (tools === null) return () => true;
  const patterns = tools.flatMap((name) => (/^mcp__(?:(?!__).)+$/.test(name) ? [`${name}__*`] : [name]));
  return (_server, tool) =>
    tool === undefined
      ? patterns.some((pattern) => pattern === '*' || pattern.startsWith('mcp'))
      : patterns.some((pattern) => matchesWildcard(pattern, tool));
}
