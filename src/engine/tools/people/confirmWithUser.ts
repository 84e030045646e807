import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { answerOutput, questionTitle } from './answerOutput';

const input = z.strictObject({ question: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `user__confirm`: a question to the person that is answered with yes or no. */
export function confirmWithUserTool(): AnyTool {
  return defineTool<Input>({
    name: 'user__confirm',
    description: 'Asks the person for yes or no.',
    category: 'user',
    traits: { kind: 'people' },
    input,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__confirm', category: 'user' }),
    async run({ question }, context) {
      return answerOutput(await context.ask({ question, kind: 'confirm', options: [] }));
    },
  });
}
