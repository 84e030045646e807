import type { ScopedEmitter } from '../events/scopedEmitter';
import { userMessage } from '../messages/message';
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
  text: string,
  steering: boolean,
): Promise<void> {
  const message = userMessage(text, clock.now(), steering);
  await session.add(message);
  emitter.emit({ type: 'message-taken', message });
  if (session.metadata.title !== '') return;
  const title = titleFrom(text);
  await session.configure({ title });
  emitter.emit({ type: 'session-renamed', title });
}
