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

/** As much of a tool as decides who is offered it. */
export type ToolEntry = Pick<AnyTool, 'name' | 'category'>;

type OfferedTool = Pick<AnyTool, 'name' | 'category' | 'traits'>;

/** Of tools that need a machine, which is not there yet: the first that matches says what one does to the world. */
const CATEGORIES: readonly (readonly [RegExp, ToolCategory])[] = [
  [/^(fs_(read|cat|ls|glob|grep)|command__(list|output))$/, 'read'],
  [/^fs_/, 'write'],
  [/^execute_command$/, 'execute'],
  [/^fetch_url$/, 'network'],
];

let defined: ReadonlyMap<string, AnyTool> | undefined;

/** The definition of a tool that comes with Cairn and needs no machine. */
function definitionOf(name: string): AnyTool | undefined {
  const definitions = () => [...todoTools(), ...peopleTools(), ...skillTools(), ...teamTools()];
  defined ??= new Map(definitions().map((one) => [one.name, one]));
  return defined.get(name);
}

/** Every tool that comes with Cairn, as far as it matters for who is offered it. */
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

/** With what its definition says of it. */
export function withTraits(tool: ToolEntry): OfferedTool {
  const traits = definitionOf(tool.name)?.traits;
  return traits ? { ...tool, traits } : tool;
}

/** Whether an agent may have a tool at all, be it by itself or through a skill: not one that its own rules deny whatever is called, nor one for which there is nobody to start. */
export function mayHave(agent: AgentDefinition, place: TeamPlace): (tool: OfferedTool) => boolean {
  const isOfUse = teamOffer(agent, place);
  return (tool) => isOfUse(tool) && !deniedOutright(tool, [agent.rules]);
}

/** Whether a list of names and wildcards names a tool; null names all. */
export function isListed(patterns: readonly string[] | null, { name }: ToolEntry): boolean {
  return patterns === null || patterns.some((pattern) => matchesWildcard(pattern, name));
}

/** Whether a list names a tool by more than wildcards alone. */
export function isNamed(patterns: readonly string[] | null | undefined, tool: string): boolean {
  return patterns?.some((pattern) => /[^*?]/.test(pattern) && matchesWildcard(pattern, tool)) ?? false;
}
