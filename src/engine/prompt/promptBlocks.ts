import { clipEnd } from '../../base/truncate';
import type { Skill } from '../skills/skill';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { ToolKind } from '../tools/tool';

/** A part of the system prompt that explains tools; null when none of them is offered. */
export type PromptBlock = (tools: ToolRegistry) => string | null;

/** As many skills are told of by name; more are for `skill__list`. */
export const MAX_SKILLS = 20;

/** How to work with to-dos, while Cairn goes on as long as some are open. */
export const todoBlock: PromptBlock = (tools) => {
  if (!canWorkOnTodos(tools)) return null;
  return [
    '# To-dos',
    'You keep a to-do list that the person sees.',
    'For work of three or more steps, write the whole list before you begin; smaller work needs none. Mark each item the moment it is done, and not before you have checked it. While items are open, you are asked to go on after each answer.',
    ...(tools.get('todo__clear') ? ['When the person calls the task off, clear the list.'] : []),
  ].join('\n');
};

/** Whether an agent can write a list and mark what is done, by our names of the tools or those of OpenCode. */
function canWorkOnTodos(tools: ToolRegistry): boolean {
  return tools.does('writes-todos') && tools.does('marks-todos');
}

/** How to reach the person. */
export const peopleBlock: PromptBlock = (tools) => {
  const names = namesOf(tools, 'people');
  if (names === null) return null;
  return [
    '# Asking the person',
    `Ask when the answer changes what you do and you cannot find it out yourself. Put a question with ${names}, not at the end of an answer.`,
  ].join('\n');
};

/** That there are skills, in the words of `instructions` or ours. */
export function skillBlock(
  tools: ToolRegistry,
  skills: readonly Skill[],
  instructions: string | undefined,
): string | null {
  if (!tools.get('skill__load') || skills.length === 0) return null;
  if (instructions !== undefined) return instructions.trim();
  const rest = skills.length - MAX_SKILLS;
  return [
    '# Skills',
    'A skill is knowledge for one kind of task. Before you begin with a task that one of these is for, load it with `skill__load`:',
    ...skills.slice(0, MAX_SKILLS).map(nameLine),
    ...(rest > 0 && tools.get('skill__list') ? [`- and ${rest} more, which \`skill__list\` shows`] : []),
  ].join('\n');
}

/** Those tools that are really offered; what each does stands in the list of tools that goes with every request. */
function namesOf(tools: ToolRegistry, kind: ToolKind): string | null {
  const names = tools.offered.flatMap(({ name, traits }) => (traits?.kind === kind ? [name] : []));
  return names.length === 0 ? null : names.map((name) => `\`${name}\``).join(', ');
}

const MAX_DESCRIPTION = 250;

/** A thing that the model may choose as one line of a list, however long and broken its description is. */
export function nameLine({ name, description }: { name: string; description: string }): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return line === '' ? `- ${name}` : `- ${name}: ${clipEnd(line, MAX_DESCRIPTION)}`;
}
