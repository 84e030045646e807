import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import type { ScopedEmitter } from '../events/scopedEmitter';
import { type UserInput, userMessage } from '../messages/message';
import type { Clock, Log } from '../ports';
import type { PlacedMiddleware } from '../run/hooks/middlewareChain';
import type { AgentSession } from '../sessions/agentSession';

interface LatePlace {
  session: AgentSession;
  emitter: ScopedEmitter;
  /** Must outlive the run, whose messages are stored even if it was canceled. */
  middleware: PlacedMiddleware;
  ports: { clock: Clock; log: Log };
}

/** Stores messages that were sent too late for the model to see; the next run answers them. Never rejects. */
export async function keepLate(place: LatePlace, late: readonly UserInput[]): Promise<void> {
  const { session, emitter, ports } = place;
  for (const input of late) {
    const message = userMessage(await changed(place, input), ports.clock.now(), true);
    try {
      await session.add(message);
      emitter.emit({ type: 'message-taken', message });
    } catch (error) {
      notKept(place, error);
    }
  }
}

/**
 * Stores the messages of a run that never held the session, outside its history. `opening`: what the run was started with. Never
 * rejects.
 */
export async function keepWaiting(
  place: LatePlace,
  opening: string | UserInput | undefined,
  late: readonly UserInput[],
): Promise<void> {
  const now = place.ports.clock.now();
  const first = opening === undefined ? [] : [userMessage(await changed(place, opening), now, false)];
  const others = await Promise.all(late.map((input) => changed(place, input)));
  const messages = [...first, ...others.map((input) => userMessage(input, now, true))];
  if (messages.length === 0) return;
  await place.session.keepWaiting(messages).catch((error: unknown) => notKept(place, error));
}

/** Applies the middleware to a message its run never took. If one fails, the message stays as written. */
function changed({ middleware, emitter }: LatePlace, input: string | UserInput): Promise<UserInput> {
  const written = typeof input === 'string' ? { text: input } : input;
  return middleware.onUserMessage(written).catch((error: unknown) => {
    if (!isAbort(error)) emitter.emit({ type: 'notice', level: 'warning', text: errorText(error) });
    return written;
  });
}

function notKept({ emitter, ports }: LatePlace, error: unknown): void {
  ports.log.error('A message could not be written to its session', error);
  emitter.emit({ type: 'notice', level: 'warning', text: `A message could not be saved: ${errorText(error)}` });
}
