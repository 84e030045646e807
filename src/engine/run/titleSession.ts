import titlePrompt from '../../../assets/prompts/title.md';
import { EngineError } from '../engineError';
import { textOf, type Usage } from '../messages/message';
import { askSideRequest } from './askSideRequest';
import type { Conversation } from './runContext';

const MAX_TITLE = 80;
/** Maximum excerpt of each side of the exchange, which is enough to name it. */
const MAX_EXCERPT = 2_000;

type TitledConversation = Pick<Conversation, 'session' | 'client' | 'model' | 'signal' | 'emitter' | 'team'>;

/**
 * Has the model name the session after its first exchange. A failure leaves the name unchanged, and a name chosen by the user is
 * never replaced.
 */
export async function titleSession({
  session,
  client,
  model,
  signal,
  emitter,
  team,
}: TitledConversation): Promise<void> {
  const before = session.metadata.title;
  const [first, ...rest] = session.messages;
  const answer = rest.find((message) => message.role === 'assistant' && textOf(message).trim() !== '');
  if (first?.role !== 'user' || answer?.role !== 'assistant') return;
  const excerpt = [`The user: ${textOf(first)}`, `The agent: ${textOf(answer)}`].map((text) =>
    text.slice(0, MAX_EXCERPT),
  );
  const question = { system: titlePrompt, text: `<conversation>\n${excerpt.join('\n\n')}\n</conversation>` };
  // The run is over, and another window may already be writing the history.
  const usedAside = (id: string, usage: Usage) => session.configure({ titleUsage: { model: id, usage } });
  const context = { session: { usedAside }, emitter, team };
  const named = await askSideRequest(context, { model, client }, question, signal).catch((error: unknown) => {
    // The session keeps its current name, which does no harm.
    if (EngineError.is(error)) return '';
    throw error;
  });
  const title = typeof named === 'string' ? titleOf(named) : '';
  if (title === '' || !(await session.retitle(before, title))) return;
  emitter.emit({ type: 'session-renamed', title });
}

/** Returns the first line, without the quotation marks and the full stop that models add regardless. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line
    .replace(/^["“„«']+|(?<!["”“»'.])["”“»'.]+$/g, '')
    .trim()
    .slice(0, MAX_TITLE);
}
