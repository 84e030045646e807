import * as z from '../../base/zod';
import { type AnyTool, defineTool } from './tool';
import type { LoadedSkill, ShelvedSkill } from './toolContext';

const skillInput = z.strictObject({ name: z.string().check(z.minLength(1)) });

type SkillInput = z.infer<typeof skillInput>;

const listSkillsInput = z.strictObject({});

type ListSkillsInput = z.infer<typeof listSkillsInput>;

/** Returns the tools for the skills of a session. */
export function skillTools(): AnyTool[] {
  return [listSkillsTool(), loadSkillTool(), unloadSkillTool()];
}

/** `skill__unload`: removes a skill and its tools immediately. */
function unloadSkillTool(): AnyTool {
  return defineTool<SkillInput>({
    name: 'skill__unload',
    description: 'Unloads a skill that is no longer needed, with its tools.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Unloading', isUnlisted: true },
    input: skillInput,
    title: ({ name }) => `Unload the skill ${name}`,
    permission: () => ({ tool: 'skill__unload', category: 'agent' }),
    async run({ name }, { skills }) {
      await skills.unload(name);
      const text = `The skill ${name} is unloaded: its instructions no longer count, and the tools that it added cannot be called.`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

/** `skill__list`: lists the skills that may be loaded. */
function listSkillsTool(): AnyTool {
  return defineTool<ListSkillsInput>({
    name: 'skill__list',
    description:
      'Lists the skills that can be loaded: what each is for, which tools it adds, and whether it is loaded.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Listing' },
    input: listSkillsInput,
    title: () => 'List the skills',
    permission: () => ({ tool: 'skill__list', category: 'agent' }),
    async run(_, { skills }) {
      const found = await skills.list();
      const text = found.length === 0 ? 'There are no skills to load.' : found.map(lineOf).join('\n');
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function lineOf({ name, description, tools, loaded }: ShelvedSkill): string {
  const adds = tools.length > 0 ? ` Adds the tools ${tools.join(', ')}.` : '';
  return `- ${name}${loaded ? ' (loaded)' : ''}: ${description || 'no description.'}${adds}`;
}

/** `skill__load`: returns a skill's instructions and adds its tools. */
function loadSkillTool(): AnyTool {
  return defineTool<SkillInput>({
    name: 'skill__load',
    description: 'Loads a skill: returns its instructions and enables its tools until it is unloaded.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Loading' },
    input: skillInput,
    title: ({ name }) => `Load the skill ${name}`,
    permission: () => ({ tool: 'skill__load', category: 'agent' }),
    async run({ name }, { skills }) {
      const text = loadedText(await skills.load(name));
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function loadedText({ name, body, folder, files, tools }: LoadedSkill): string {
  return [
    `The skill ${name} is loaded.${tools.length > 0 ? ` Its tools are yours now: ${tools.join(', ')}.` : ''}`,
    ...(files.length > 0
      ? [`Its files are in ${folder ?? ''}; read them when you need them: ${files.join(', ')}.`]
      : []),
    body,
  ].join('\n\n');
}
