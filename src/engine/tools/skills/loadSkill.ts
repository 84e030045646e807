import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import type { LoadedSkill } from './skillShelf';

const input = z.strictObject({ name: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `skill__load`: what a skill says, and from now on its tools. */
export function loadSkillTool(): AnyTool {
  return defineTool<Input>({
    name: 'skill__load',
    description: 'Loads a skill: gives you its instructions and lets you call its tools until it is unloaded.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Loading' },
    input,
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
