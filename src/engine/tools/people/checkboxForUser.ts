import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { answerOutput, questionTitle } from './answerOutput';

const input = z.strictObject({ question: z.string().min(1), options: z.array(z.string().min(1)).min(1).max(20) });
type Input = z.infer<typeof input>;

/** `user__checkbox`: a question to the person that is answered with any number of options. */
export function checkboxForUserTool(): AnyTool {
  return defineTool<Input>({
    name: 'user__checkbox',
    description: 'Lets the person choose any number of options.',
    category: 'user',
    traits: { kind: 'people' },
    input,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__checkbox', category: 'user' }),
    async run({ question, options }, context) {
      const answer = await context.ask({ question, kind: 'checkbox', options });
      return answerOutput(answer, 'none of the options');
    },
  });
}
