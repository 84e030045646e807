import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { answerOutput, questionTitle } from './answerOutput';

const input = z.strictObject({
  question: z.string().min(1),
  options: z
    .array(z.string().min(1))
    .max(8)
    .optional()
    .describe('Answers to choose from; a free one is always possible'),
});
type Input = z.infer<typeof input>;

/** `user__ask`: a question to the person, with answers to choose from. */
export function askUserTool(): AnyTool {
  return defineTool<Input>({
    name: 'user__ask',
    description:
      'Asks the person one question and waits for the answer. Only for what you cannot find out or decide yourself.',
    category: 'user',
    traits: { kind: 'people' },
    input,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__ask', category: 'user' }),
    async run({ question, options = [] }, context) {
      return answerOutput(await context.ask({ question, kind: options.length > 0 ? 'choice' : 'input', options }));
    },
  });
}
