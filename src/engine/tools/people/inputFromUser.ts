import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { answerOutput, questionTitle } from './answerOutput';

const input = z.strictObject({ question: z.string().min(1) });
type Input = z.infer<typeof input>;

/** `user__input`: a question to the person that is answered in their own words. */
export function inputFromUserTool(): AnyTool {
  return defineTool<Input>({
    name: 'user__input',
    description: 'Asks the person for a text in their own words.',
    category: 'user',
    traits: { kind: 'people' },
    input,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__input', category: 'user' }),
    async run({ question }, context) {
      return answerOutput(await context.ask({ question, kind: 'input', options: [] }), 'nothing (an empty text)');
    },
  });
}
