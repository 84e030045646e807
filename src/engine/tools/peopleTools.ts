import * as z from '../../base/zod';
import type { QuestionAnswer } from '../events/agentEvent';
import { type AnyTool, defineTool } from './tool';
import type { ToolOutput } from './toolOutput';

const askUserInput = z.strictObject({
  question: z.string().check(z.minLength(1)),
  options: z
    .optional(z.array(z.string().check(z.minLength(1))).check(z.maxLength(8)))
    .check(z.describe('Answers to choose from; the user can always write another one')),
});

type AskUserInput = z.infer<typeof askUserInput>;

const checkboxForUserInput = z.strictObject({
  question: z.string().check(z.minLength(1)),
  options: z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(20)),
});

type CheckboxForUserInput = z.infer<typeof checkboxForUserInput>;

/** For tools that offer no choice of answers. */
const questionInput = z.strictObject({ question: z.string().check(z.minLength(1)) });

type QuestionInput = z.infer<typeof questionInput>;

/** Returns the tools that ask the user. */
export function peopleTools(): AnyTool[] {
  return [askUserTool(), confirmWithUserTool(), inputFromUserTool(), checkboxForUserTool()];
}

/** `user__confirm`: asks the user a yes-or-no question. */
function confirmWithUserTool(): AnyTool {
  return defineTool<QuestionInput>({
    name: 'user__confirm',
    description: 'Asks the user a yes-or-no question.',
    category: 'user',
    traits: { kind: 'people' },
    input: questionInput,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__confirm', category: 'user' }),
    async run({ question }, context) {
      return answerOutput(await context.ask({ question, kind: 'confirm', options: [] }));
    },
  });
}

/** `user__input`: asks the user for a free-form answer. */
function inputFromUserTool(): AnyTool {
  return defineTool<QuestionInput>({
    name: 'user__input',
    description: 'Asks the user for a text, such as a name or a path.',
    category: 'user',
    traits: { kind: 'people' },
    input: questionInput,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__input', category: 'user' }),
    async run({ question }, context) {
      return answerOutput(await context.ask({ question, kind: 'input', options: [] }), 'nothing (an empty text)');
    },
  });
}

/** `user__checkbox`: asks the user to select any number of options. */
function checkboxForUserTool(): AnyTool {
  return defineTool<CheckboxForUserInput>({
    name: 'user__checkbox',
    description: 'Asks the user to choose any number of options.',
    category: 'user',
    traits: { kind: 'people' },
    input: checkboxForUserInput,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__checkbox', category: 'user' }),
    async run({ question, options }, context) {
      const answer = await context.ask({ question, kind: 'checkbox', options });
      return answerOutput(answer, 'none of the options');
    },
  });
}

/** `user__ask`: asks the user a question, with answers to choose from. */
function askUserTool(): AnyTool {
  return defineTool<AskUserInput>({
    name: 'user__ask',
    description:
      'Asks the user one question and waits for the answer. Use it only for what you can neither find out nor decide yourself.',
    category: 'user',
    traits: { kind: 'people' },
    input: askUserInput,
    title: ({ question }) => questionTitle(question),
    permission: () => ({ tool: 'user__ask', category: 'user' }),
    async run({ question, options = [] }, context) {
      return answerOutput(await context.ask({ question, kind: options.length > 0 ? 'choice' : 'input', options }));
    },
  });
}

/** A question should still be readable above its answer. */
const MAX_TITLE = 300;

const NOBODY =
  'Nobody is there to answer. Decide yourself, go on, and state the assumption you made in your final answer.';

/** Returns the user's answer as a tool result. */
function answerOutput(answer: QuestionAnswer, none = 'nothing'): ToolOutput {
  const said = answer.kind === 'answered' ? answer.texts.join(', ') : '';
  const text = answer.kind === 'answered' ? `The user answered: ${said || none}` : NOBODY;
  return { text, detail: { kind: 'text', text } };
}

/** Returns the card title for a question. */
export function questionTitle(question: string): string {
  if (question.length <= MAX_TITLE) return `Ask: ${question}`;
  const end = question.lastIndexOf(' ', MAX_TITLE);
  return `Ask: ${question.slice(0, end > 0 ? end : MAX_TITLE)} …`;
}
