import type { ToolEntry } from '../../../src/protocol/chatState';

/** Sentences that only a model can follow: they begin with an order, or name a tool or one of its arguments, such as `old_string`. */
const ORDER =
  /^(?:Add|Ask|Call|Change|Check|Collect|Continue|Correct|Do|End|Give|Keep|Leave|List|Look|Name|Read|Repeat|Report|Search|See|Send|Set|Show|Start|Take|Tell|Try|Use|Wait|Write)\b/;
const NAME = /(?<![\w./\\-])[a-z]+(?:_{1,2}[a-z]+)+(?![\w/\\-]|\.\w)/;

/** Returns the result of a call as the user should read it: that of a failed call without the advice for the model. */
export function withoutAdvice({ advises, status }: Pick<ToolEntry, 'advises' | 'status'>, text: string): string {
  if ((status !== 'error' && status !== 'rejected') || !advises || text.includes('\n')) return text;
  const [first = '', ...more] = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return [first, ...more.filter((sentence) => !ORDER.test(sentence) && !NAME.test(sentence))].join(' ');
}
