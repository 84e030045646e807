import { isAbort } from '../../../base/abort';
import type { Clock } from '../../ports';
import type { LlmClient, Middleware } from '../llmClient';
import type { LlmEvent } from '../llmEvent';
import type { Usage } from '../../messages/message';
import type { LlmFailure } from '../llmFailure';
import type { LlmRequest } from '../llmRequest';

/** Waits before the second and the third try. */
const WAITS_MS = [500, 2000];

/** Whoever waits longer is told so instead. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Asks again, at most twice, when a stream broke before its first token. After the first token never: the person has
 * read it. An answer with an HTTP status is not asked for again, because the SDK has already done that; a provider without one, or
 * which says when it takes requests again, is.
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
  const lost: (Usage | null)[] = [];
  for (const waitMs of WAITS_MS) {
    const broken = yield* untilBrokenEarly(withLost(next.stream(request, signal), lost));
    if (!broken) return;
    lost.push(broken.usage);
    try {
      await clock.sleep(broken.retryAfterMs ?? waitMs, signal);
    } catch (error) {
      if (!isAbort(error)) throw error;
      const message = 'The request was cancelled while it waited to retry.';
      return yield { type: 'failed', failure: { reason: 'cancelled', message }, lost };
    }
  }
  yield* withLost(next.stream(request, signal), lost);
}

function withLost(events: AsyncIterable<LlmEvent>, lost: readonly (Usage | null)[]): AsyncIterable<LlmEvent> {
  return lost.length > 0 ? tellingLost(events, lost) : events;
}

async function* tellingLost(
  events: AsyncIterable<LlmEvent>,
  lost: readonly (Usage | null)[],
): AsyncGenerator<LlmEvent, void, void> {
  for await (const event of events) {
    const isEnd = event.type === 'finished' || event.type === 'failed';
    yield isEnd ? { ...event, lost } : event;
  }
}

/** Passes everything on, except what a try says that may be made again: what that used is returned. */
async function* untilBrokenEarly(
  events: AsyncIterable<LlmEvent>,
): AsyncGenerator<LlmEvent, { usage: Usage | null; retryAfterMs?: number } | undefined, void> {
  let begun = false;
  let usage: Usage | null = null;
  for await (const event of events) {
    if (event.type === 'failed' && !begun && isBroken(event.failure)) {
      const { retryAfterMs } = event.failure;
      return { usage, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
    // Tokens of a try that gives nothing to read are spent, but they are no beginning.
    if (event.type === 'usage') {
      ({ usage } = event);
      continue;
    }
    if (event.type !== 'notice') begun = true;
    if (usage && begun) yield { type: 'usage', usage };
    if (begun) usage = null;
    yield event;
  }
  return undefined;
}

/** An address that nobody answers at was tried three times by the SDK already. */
function isBroken({ reason, status, retryAfterMs }: LlmFailure): boolean {
  if (reason === 'rate-limit') {
    const isSaid = retryAfterMs !== undefined;
    return (isSaid || status === undefined) && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
  }
  return reason === 'cut-stream' || (status === undefined && reason === 'server');
}
