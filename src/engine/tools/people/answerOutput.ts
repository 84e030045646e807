import type { QuestionAnswer } from '../../events/question';
import type { ToolOutput } from '../toolOutput';

const MAX_TITLE = 100;
const NOBODY =
  'Nobody is there to answer. Decide yourself, go on, and state the assumption you made in your final answer.';

/** What the person said, as the result of a tool. */
export function answerOutput(answer: QuestionAnswer, none = 'nothing'): ToolOutput {
  const said = answer.kind === 'answered' ? answer.texts.join(', ') : '';
  const text = answer.kind === 'answered' ? `The person answered: ${said || none}` : NOBODY;
  return { text, detail: { kind: 'text', text } };
}

/** A question as the title of a card. */
export function questionTitle(question: string): string {
  return `Ask: ${question.length > MAX_TITLE ? `${question.slice(0, MAX_TITLE)} …` : question}`;
}
