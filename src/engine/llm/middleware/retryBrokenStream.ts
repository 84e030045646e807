import { isAbort } from '../../../base/abort';
import type { Clock } from '../../ports';
import type { LlmClient } from '../llmClient';
import type { LlmEvent } from '../llmEvent';
import type { LlmFailure } from '../llmFailure';
import type { LlmRequest } from '../llmRequest';
import type { Middleware } from './middleware';

/** Waits before the second and the third try. */
const WAITS_MS = [500, 2000];

/**
 * Asks again, at most twice, when a stream broke before its first token. After the first token never: the person has
 * read it. An answer with an HTTP status is not asked for again, because the SDK has already done that.
 */
export function retryBrokenStream(clock: Clock): Middleware {
  return (next) => ({ stream: (request, signal) => streamAgain(next, clock, request, signal) });
}

async function* streamAgain(
  next: LlmClient,
  clock: Clock,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  for (const waitMs of WAITS_MS) {
    const failed = yield* untilBrokenEarly(next.stream(request, signal));
    if (!failed) return;
    try {
      await clock.sleep(waitMs, signal);
    } catch (error) {
      if (!isAbort(error)) throw error;
      const message = 'The request was cancelled while it waited for another try.';
      return yield { type: 'failed', failure: { reason: 'cancelled', message } };
    }
  }
  yield* next.stream(request, signal);
}

/** Passes everything on, except an end that may be retried: that one is returned. */
async function* untilBrokenEarly(
  events: AsyncIterable<LlmEvent>,
): AsyncGenerator<LlmEvent, LlmFailure | undefined, void> {
  let begun = false;
  for await (const event of events) {
    if (event.type === 'failed' && !begun && isBroken(event.failure)) return event.failure;
    // Tokens of a try that gives nothing to read are spent, but they are no beginning.
    if (event.type !== 'usage' && event.type !== 'notice') begun = true;
    yield event;
  }
  return undefined;
}

/** An address that nobody answers at was tried three times by the SDK already. */
function isBroken({ reason, status }: LlmFailure): boolean {
  return reason === 'cut-stream' || (status === undefined && reason === 'server');
}
