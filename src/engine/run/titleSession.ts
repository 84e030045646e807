import titlePrompt from '../../../assets/prompts/title.md';
import { EngineError } from '../engineError';
import { askOnce } from '../llm/askOnce';
import { textOf } from '../messages/message';
import type { RunContext } from './runContext';

const MAX_TITLE = 80;
/** Of each side of the exchange, what is enough to name it. */
const MAX_EXCERPT = 2_000;

/**
 * Has the model name the session after its first exchange; a failure leaves the name as it is. The person's own name for a
 * session is never replaced.
 */
export async function titleSession({ session, client, model, signal, emitter }: RunContext): Promise<void> {
  const before = session.metadata.title;
  const [first, ...rest] = session.messages;
  const answer = rest.find((message) => message.role === 'assistant' && textOf(message).trim() !== '');
  if (first?.role !== 'user' || answer?.role !== 'assistant') return;
  const excerpt = [`The person: ${textOf(first)}`, `The agent: ${textOf(answer)}`].map((text) =>
    text.slice(0, MAX_EXCERPT),
  );
  const question = { system: titlePrompt, text: excerpt.join('\n\n') };
  const named = await askOnce({ model, client }, question, signal).catch((error: unknown) => {
    // A session without a better name is no worse for it.
    if (EngineError.is(error)) return '';
    throw error;
  });
  const title = titleOf(named);
  if (title === '' || session.metadata.title !== before) return;
  await session.configure({ title });
  emitter.emit({ type: 'session-renamed', title });
}

/** The first line, without the quotation marks and the full stop that models add all the same. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line
    .replace(/^["“„«']+|["”“»'.]+$/g, '')
    .trim()
    .slice(0, MAX_TITLE);
}
