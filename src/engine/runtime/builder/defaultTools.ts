import { OWN_TOOLS } from '../../content/toolNames';
import type { ToolCategory } from '../../permissions/permissionRule';
import { peopleTools } from '../../tools/people/peopleTools';
import { skillTools } from '../../tools/skills/skillTools';
import { teamTools } from '../../tools/team/teamTools';
import { todoTools } from '../../tools/todos/todoTools';
import type { AnyTool } from '../../tools/tool';
import type { OfferedTool, ToolEntry } from '../offeredTools';

/** Of tools that need a machine, which is not there yet: the first that matches says what one does to the world. */
const CATEGORIES: readonly (readonly [RegExp, ToolCategory])[] = [
  [/^(fs_(read|cat|ls|glob|grep)|command__(list|output))$/, 'read'],
  [/^fs_/, 'write'],
  [/^execute_command$/, 'execute'],
  [/^(fetch_url|web_search)$/, 'network'],
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
  return OWN_TOOLS.filter((name) => name !== 'web_search').map((name) => ({
    name,
    category: definitionOf(name)?.category ?? CATEGORIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'agent',
  }));
}

/** With what its definition says of it. */
export function withTraits(tool: ToolEntry): OfferedTool {
  const traits = definitionOf(tool.name)?.traits;
  return traits ? { ...tool, traits } : tool;
}
