import { matchesWildcard } from '../../base/matching';
import type { AgentDefinition } from '../agents/agentDefinition';
import { OWN_TOOLS } from '../content/toolNames';
import type { ToolCategory } from '../permissions/permissionRule';
import { deniedOutright } from '../permissions/toolPolicy';
import type { Role } from '../roles/role';
import { teamOffer, type TeamPlace } from '../team/teamPrompt';
import { ON_REQUEST } from '../tools/onRequest/onRequest';
import { peopleTools } from '../tools/peopleTools';
import { skillTools } from '../tools/skillTools';
import { teamTools } from '../tools/team/teamTools';
import { todoTools } from '../tools/todoTools';
import type { AnyTool } from '../tools/tool';
import type { ServerNames, ToolUser, WantedScripts, WantsTool } from '../tools/toolSource';
import type { RunPlan } from './runPlan';

/** Which MCP servers are given to agents that name none, and by which other names servers are known. */
export interface WantedServers {
  /** False: no agent gets any. */
  readonly on: boolean;
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

/** The part of a tool that decides who is offered it. */
export type ToolEntry = Pick<AnyTool, 'name' | 'category'>;

type OfferedTool = Pick<AnyTool, 'name' | 'category' | 'traits'>;

/** Categories of tools that depend on the machine, which is not available here. The first matching pattern wins. */
const CATEGORIES: readonly (readonly [RegExp, ToolCategory])[] = [
  [/^(fs_(read|cat|ls|glob|grep)|command__(list|output))$/, 'read'],
  [/^fs_/, 'write'],
  [/^execute_command$/, 'execute'],
  [/^fetch_url$/, 'network'],
];

let defined: ReadonlyMap<string, AnyTool> | undefined;

/** Returns the definition of a built-in tool that does not depend on the machine. */
function definitionOf(name: string): AnyTool | undefined {
  const definitions = () => [...todoTools(), ...peopleTools(), ...skillTools(), ...teamTools()];
  defined ??= new Map(definitions().map((one) => [one.name, one]));
  return defined.get(name);
}

/** Returns every built-in tool, with what decides who is offered it. */
export function defaultTools(): ToolEntry[] {
  return OWN_TOOLS.map((name) => ({
    name,
    category:
      ON_REQUEST.get(name) ??
      definitionOf(name)?.category ??
      CATEGORIES.find(([pattern]) => pattern.test(name))?.[1] ??
      'agent',
  }));
}

/** Adds the traits from the tool's definition, if any. */
export function withTraits(tool: ToolEntry): OfferedTool {
  const traits = definitionOf(tool.name)?.traits;
  return traits ? { ...tool, traits } : tool;
}

/**
 * Returns a test for whether an agent may have a tool at all, directly or through a skill: not if its own rules deny the tool
 * whatever the arguments, or if the tool starts agents and there are none to start.
 */
export function mayHave(agent: AgentDefinition, place: TeamPlace): (tool: OfferedTool) => boolean {
  const isOfUse = teamOffer(agent, place);
  return (tool) => isOfUse(tool) && !deniedOutright(tool, [agent.rules]);
}

/** Whether a list of names and wildcards includes a tool; null includes all. */
export function isListed(patterns: readonly string[] | null, { name }: ToolEntry): boolean {
  return patterns === null || patterns.some((pattern) => matchesWildcard(pattern, name));
}

/** Whether a list includes a tool by more than wildcards alone. */
export function isNamed(patterns: readonly string[] | null | undefined, tool: string): boolean {
  return patterns?.some((pattern) => /[^*?]/.test(pattern) && matchesWildcard(pattern, tool)) ?? false;
}
