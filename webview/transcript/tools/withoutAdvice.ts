import type { ToolEntry } from '../../../src/protocol/chatState';

/** Tools whose errors Cairn words itself: what happened, and then what the model should do about it. */
const OWN = /^(?:(?:fs|todo|user|agent|command|skill)_{1,2}\w+|execute_command|fetch_url|web_search|task)$/;
/** Sentences that only a model can follow: they begin with an order, or name a tool or one of its arguments. */
const ORDER =
  /^(?:Add|Ask|Call|Change|Check|Collect|Continue|Correct|Do|End|Give|Keep|Leave|List|Look|Name|Read|Repeat|Report|Search|See|Send|Set|Show|Start|Take|Tell|Try|Use|Wait|Write)\b/;
const NAME =
  /\b(?:(?:fs|todo|user|agent|command|skill)_{1,2}[a-z]+|execute_command|fetch_url|session_id|replace_all)\b/;

/** Returns the result of a call as the user should read it: that of a failed call without the advice for the model. */
export function withoutAdvice({ tool, status }: Pick<ToolEntry, 'tool' | 'status'>, text: string): string {
  if ((status !== 'error' && status !== 'rejected') || !OWN.test(tool) || text.includes('\n')) return text;
  const [first = '', ...more] = text.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return [first, ...more.filter((sentence) => !ORDER.test(sentence) && !NAME.test(sentence))].join(' ');
}
