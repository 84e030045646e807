import { matchesWildcard } from '../../../base/wildcard';
import type { AgentDefinition } from '../../agents/agentDefinition';
import { OWN_TOOLS } from '../../content/toolNames';
import { deniedOutright } from '../../permissions/toolPolicy';
import type { ToolCategory } from '../../permissions/permissionRule';
import { teamOffer, type TeamPlace } from '../../team/teamPrompt';
import { peopleTools } from '../../tools/people/peopleTools';
import { skillTools } from '../../tools/skills/skillTools';
import { teamTools } from '../../tools/team/teamTools';
import { todoTools } from '../../tools/todos/todoTools';
import { ON_REQUEST } from '../../tools/onRequest/onRequest';
import type { AnyTool } from '../../tools/tool';

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
