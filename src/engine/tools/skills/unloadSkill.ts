import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({ name: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `skill__unload`: a skill and its tools are gone at once. */
export function unloadSkillTool(): AnyTool {
  return defineTool<Input>({
    name: 'skill__unload',
    description: 'Unloads a skill that you are done with, and its tools.',
    category: 'agent',
    traits: { kind: 'skills', doing: 'Unloading' },
    input,
    title: ({ name }) => `Unload the skill ${name}`,
    permission: () => ({ tool: 'skill__unload', category: 'agent' }),
    async run({ name }, { skills }) {
      await skills.unload(name);
      const text = `The skill ${name} is unloaded: its instructions no longer count, and the tools that it added cannot be called.`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}
