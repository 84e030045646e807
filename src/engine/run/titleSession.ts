import titlePrompt from '../../../assets/prompts/title.md';
import { collectReply } from '../llm/collectReply';
import { textOf, userMessage } from '../messages/message';
import type { RunContext } from './runContext';

const MAX_TITLE = 80;
/** Of each side of the exchange, what is enough to name it. */
const MAX_EXCERPT = 2_000;

/**
 * Has the model name the session after its first exchange; a failure leaves the name as it is. The person's own name for a
 * session is never replaced.
 */
export async function titleSession({
  session,
  client,
  model,
  agent,
  ports,
  signal,
  emitter,
}: RunContext): Promise<void> {
  const before = session.metadata.title;
  const [first, ...rest] = session.messages;
  const answer = rest.find((message) => message.role === 'assistant' && textOf(message).trim() !== '');
  if (first?.role !== 'user' || answer?.role !== 'assistant') return;
  const excerpt = [`The person: ${textOf(first)}`, `The agent: ${textOf(answer)}`].map((text) =>
    text.slice(0, MAX_EXCERPT),
  );
  const time = ports.clock.now();
  const request = { system: titlePrompt, messages: [userMessage(excerpt.join('\n\n'), time, false)], tools: [] };
  const header = { agent, model: model.id, time };
  const { message, failure } = await collectReply(client.stream(request, signal), header, () => undefined);
  const title = titleOf(textOf(message));
  if (failure || title === '' || session.metadata.title !== before) return;
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
