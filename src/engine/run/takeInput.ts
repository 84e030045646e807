import type { ScopedEmitter } from '../events/scopedEmitter';
import { attachmentsOf, textOf, type UserInput, type UserMessage, userMessage } from '../messages/message';
import type { Clock } from '../ports';
import { type AgentSession, titleFrom } from '../sessions/agentSession';

export interface InputParts {
  session: AgentSession;
  emitter: ScopedEmitter;
  clock: Clock;
}

/** The person's message, kept before anything is done with it. The first one names the session. */
export async function takeInput(
  { session, emitter, clock }: InputParts,
  input: string | UserInput,
  steering: boolean,
): Promise<void> {
  const message = userMessage(input, clock.now(), steering);
  await session.add(message);
  emitter.emit({ type: 'message-taken', message });
  if (session.metadata.title !== '') return;
  const title = titleFrom(textOf(message)) || nameOf(message);
  await session.configure({ title });
  emitter.emit({ type: 'session-renamed', title });
}

/** Of a message without words: what it brought. */
function nameOf(message: UserMessage): string {
  const [first] = attachmentsOf(message);
  const label = first?.type === 'image' ? first.label : first?.attachment?.label;
  return label ?? 'A picture';
}
