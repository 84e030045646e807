import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';

const MAX_TITLE = 100;

const input = z.strictObject({
  question: z.string().min(1),
  options: z
    .array(z.string().min(1))
    .max(8)
    .optional()
    .describe('Answers to choose from; a free one is always possible'),
});
type Input = z.infer<typeof input>;

/** `user__ask`: a question to the person. */
export function askUserTool(): AnyTool {
  return defineTool<Input>({
    name: 'user__ask',
    description:
      'Asks the person one question and waits for the answer. Only for what you cannot find out or decide yourself.',
    category: 'user',
    input,
    title: ({ question }) => `Ask: ${question.length > MAX_TITLE ? `${question.slice(0, MAX_TITLE)} …` : question}`,
    permission: () => ({ tool: 'user__ask', category: 'user' }),
    async run({ question, options = [] }, context) {
      const answer = await context.ask({ question, kind: options.length > 0 ? 'choice' : 'input', options });
      const text =
        answer.kind === 'answered'
          ? `The person answered: ${answer.texts.join(', ')}`
          : 'Nobody is there to answer. Decide yourself, go on, and state the assumption you made in your final answer.';
      return { text, detail: { kind: 'text', text } };
    },
  });
}
