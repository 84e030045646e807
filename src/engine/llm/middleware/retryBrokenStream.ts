import { isAbort } from '../../../base/abort';
import type { Clock } from '../../ports';
import type { LlmEvent, LlmFailure, Middleware } from '../llmClient';
import type { Usage } from '../../messages/message';

/** Delays before the second and third try. */
const WAITS_MS = [500, 2000];

/** A longer wait is reported as a failure instead. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Retries, at most twice, when a stream breaks before its first token. After the first token it never retries, since the user has
 * already read it. A response with an HTTP status is not retried, because the SDK already did; a provider without a status, or
 * one that says when it accepts requests again, is.
 */
export function retryBrokenStream(clock: Clock): Middleware {
  return (next) => ({
    stream: (request, signal) => ({
      [Symbol.asyncIterator]: () => new RetriedStream(() => next.stream(request, signal), clock, signal),
    }),
  });
}

type Next = IteratorResult<LlmEvent, void>;

const END: Next = { done: true, value: undefined };
const given = (value: LlmEvent): Next => ({ done: false, value });

/** Forwards the events of a try that has begun without a generator, which would add an extra await for each of them. */
class RetriedStream implements AsyncIterator<LlmEvent, void, void> {
  private events: AsyncIterator<LlmEvent> | undefined;
  /** Usage alone does not count as a beginning: tokens of a try that produced nothing readable are spent all the same. */
  private usage: Usage | null = null;
  private begun = false;
  /** The first event of the answer, held back until the usage reported before it is delivered. */
  private waiting: LlmEvent | undefined;
  /** Usage of each broken try. */
  private readonly lost: (Usage | null)[] = [];
  private cancelled = false;

  constructor(
    private readonly open: () => AsyncIterable<LlmEvent>,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  next(): Promise<Next> {
    const { events, waiting, lost } = this;
    if (this.cancelled) return Promise.resolve(END);
    this.waiting = undefined;
    if (waiting) return Promise.resolve(given(waiting));
    if (!events || !this.begun) return this.beginning();
    const next = events.next();
    return lost.length > 0 ? next.then((one) => (one.done ? END : given(this.tellingLost(one.value)))) : next;
  }

  async return(): Promise<Next> {
    this.waiting = undefined;
    await this.events?.return?.();
    return END;
  }

  /** Returns each notice as it comes, then the first other event that is not a retryable failure. */
  private async beginning(): Promise<Next> {
    for (;;) {
      this.events ??= this.open()[Symbol.asyncIterator]();
      const next = await this.events.next();
      if (next.done) return END;
      const event = next.value;
      if (event.type === 'notice') return given(event);
      if (event.type === 'usage') this.usage = event.usage;
      else if (!this.isAgain(event)) return this.begin(event);
      else if (!(await this.waitAfter(event.failure))) return given(this.cancel());
    }
  }

  private begin(event: LlmEvent): Next {
    const { usage } = this;
    this.begun = true;
    if (!usage) return given(this.tellingLost(event));
    this.waiting = this.tellingLost(event);
    return given({ type: 'usage', usage });
  }

  private isAgain(event: LlmEvent): event is Extract<LlmEvent, { type: 'failed' }> {
    return event.type === 'failed' && this.lost.length < WAITS_MS.length && isBroken(event.failure);
  }

  /** Waits before the next try. Resolves to false if aborted in the meantime. */
  private async waitAfter({ retryAfterMs }: LlmFailure): Promise<boolean> {
    await this.events?.return?.();
    this.events = undefined;
    const waitMs = retryAfterMs ?? WAITS_MS[this.lost.length] ?? 0;
    this.lost.push(this.usage);
    this.usage = null;
    try {
      await this.clock.sleep(waitMs, this.signal);
      return true;
    } catch (error) {
      if (!isAbort(error)) throw error;
      return false;
    }
  }

  private cancel(): LlmEvent {
    this.cancelled = true;
    const message = 'The request was cancelled while it waited to retry.';
    return { type: 'failed', failure: { reason: 'cancelled', message }, lost: this.lost };
  }

  private tellingLost(event: LlmEvent): LlmEvent {
    const { lost } = this;
    const isEnd = event.type === 'finished' || event.type === 'failed';
    return isEnd && lost.length > 0 ? { ...event, lost } : event;
  }
}

/** Whether a failure is worth a retry. `unreachable` is not: the SDK has already tried the address three times. */
function isBroken({ reason, status, retryAfterMs }: LlmFailure): boolean {
  if (reason === 'rate-limit') {
    const isSaid = retryAfterMs !== undefined;
    return (isSaid || status === undefined) && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
  }
  return reason === 'cut-stream' || (status === undefined && reason === 'server');
}
