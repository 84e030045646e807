import { clipEnd } from '../../base/truncate';
import type { Skill } from '../skills/skill';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { ToolKind } from '../tools/tool';

/** A part of the system prompt that explains tools; null if none of them is offered. */
export type PromptBlock = (tools: ToolRegistry) => string | null;

/** Maximum number of skills listed by name; `skill__list` returns the rest. */
export const MAX_SKILLS = 20;

/** Explains to-dos, given that Cairn continues while some are open. */
export const todoBlock: PromptBlock = (tools) => {
  if (!canWorkOnTodos(tools)) return null;
  return [
    '# To-dos',
    'For work of three or more steps, first write the whole list; the user sees it. Smaller work needs none. Work on one step at a time, and mark it as done right after you checked it. While steps are open, you are asked to continue. If the user calls the work off, clear the list.',
  ].join('\n');
};

/** Whether an agent can write a list and mark items as done, under Cairn's or OpenCode's tool names. */
function canWorkOnTodos(tools: ToolRegistry): boolean {
  return tools.does('writes-todos') && tools.does('marks-todos');
}

/** Explains how to ask the user. */
export const peopleBlock: PromptBlock = (tools) => {
  const names = namesOf(tools, 'people');
  if (names === null) return null;
  return [
    '# Asking the user',
    `Decide small things yourself and say what you assumed. Ask with ${names} if the answers lead to different work and you cannot find out yourself; do not end an answer with a question instead.`,
  ].join('\n');
};

/** Explains skills, with the text of `instructions` or a default. */
export function skillBlock(
  tools: ToolRegistry,
  skills: readonly Skill[],
  instructions: string | undefined,
): string | null {
  if (!tools.offers('skill__load') || skills.length === 0) return null;
  if (instructions !== undefined) return instructions.trim();
  const rest = skills.length - MAX_SKILLS;
  return [
    '# Skills',
    'A skill is knowledge for one kind of task. Load the one that fits with `skill__load` before you begin:',
    ...skills.slice(0, MAX_SKILLS).map(nameLine),
    ...(rest > 0 && tools.offers('skill__list') ? [`- and ${rest} more, which \`skill__list\` shows`] : []),
  ].join('\n');
}

/** Returns the tools actually offered; their descriptions are part of the tool list in every request. */
function namesOf(tools: ToolRegistry, kind: ToolKind): string | null {
  const names = tools.offered.flatMap(({ name, traits }) => (traits?.kind === kind ? [name] : []));
  return names.length === 0 ? null : names.map((name) => `\`${name}\``).join(', ');
}

const MAX_DESCRIPTION = 250;

/** Formats a choice for the model as one list item, whatever the length and line breaks of its description. */
export function nameLine({ name, description }: { name: string; description: string }): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return line === '' ? `- ${name}` : `- ${name}: ${clipEnd(line, MAX_DESCRIPTION)}`;
}
