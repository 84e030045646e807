import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import type { ShelvedSkill } from './skillShelf';

const input = z.strictObject({});
type Input = z.infer<typeof input>;

/** `skill__list`: what may be loaded. */
export function listSkillsTool(): AnyTool {
  return defineTool<Input>({
    name: 'skill__list',
    description: 'Lists the skills that you can load, what each is for, which tools it adds, and which are loaded.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Listing' },
    input,
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
