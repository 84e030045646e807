import type { ScopedEmitter } from '../events/scopedEmitter';
import { attachmentsOf, textOf, type UserInput, type UserMessage, userMessage } from '../messages/message';
import type { Clock } from '../ports';
import { type AgentSession, titleFrom } from '../sessions/agentSession';
import type { PlacedMiddleware } from './hooks/middlewareChain';
import { tellCheckpoint } from './tellCheckpoint';

interface InputParts {
  session: AgentSession;
  emitter: ScopedEmitter;
  clock: Clock;
  /** The middleware between users and the agent. Absent for messages that no one wrote. */
  middleware?: PlacedMiddleware;
}

/**
 * Stores a message before anything is done with it, and returns it as stored. The first message names the session. If a
 * middleware fails, the message is stored as written; then rejects with EngineError `middleware`, or with AbortError.
 */
export async function takeInput(parts: InputParts, input: string | UserInput, steering: boolean): Promise<UserInput> {
  let taken = typeof input === 'string' ? { text: input } : input;
  try {
    taken = (await parts.middleware?.onUserMessage(taken)) ?? taken;
  } finally {
    await keepInput(parts, taken, steering);
  }
  return taken;
}

async function keepInput({ session, emitter, clock }: InputParts, input: UserInput, steering: boolean): Promise<void> {
  const message = userMessage(input, clock.now(), steering);
  await session.add(message);
  emitter.emit({ type: 'message-taken', message });
  await nameAfter(message, { session, emitter });
  tellCheckpoint({ session, emitter }, 'after-input');
}

async function nameAfter(
  message: UserMessage,
  { session, emitter }: Pick<InputParts, 'session' | 'emitter'>,
): Promise<void> {
  if (session.metadata.title !== '') return;
  const title = titleFrom(textOf(message)) || nameOf(message);
  await session.configure({ title });
  emitter.emit({ type: 'session-renamed', title });
}

/** Names a message without text after its first attachment. */
function nameOf(message: UserMessage): string {
  const [first] = attachmentsOf(message);
  const label = first?.type === 'image' ? first.label : first?.attachment?.label;
  return label ?? 'A picture';
}
