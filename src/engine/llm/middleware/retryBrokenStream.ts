import { isAbort } from '../../../base/abort';
import type { Clock } from '../../ports';
import type { LlmEvent, LlmFailure, Middleware } from '../llmClient';
import type { Usage } from '../../messages/message';

/** Delays before the second and third try. */
const WAITS_MS = [500, 2000];
/** The same for a provider that has too much to do, and one more try. */
const BUSY_WAITS_MS = [2000, 8000, 32_000];

/** A longer wait is reported as a failure instead. */
const LONGEST_WAIT_MS = 60_000;

/** A wait of up to this is not worth a line. */
const QUIET_WAIT_MS = 2000;

/**
 * Retries when a request is refused, or a stream breaks, before the first token. After the first token it never retries, since
 * the user has already read it. A failure that does not say whether a retry may help is retried if its reason is `cut-stream`, or
 * if it is the provider's (`server`, `rate-limit`) and has no HTTP status or says when requests are accepted again. A wait that
 * the user would notice is told with a notice.
 *
 * `random`: 0 to 1, so that requests that failed together are not sent together again.
 */
export function retryBrokenStream(clock: Clock, random: () => number = Math.random): Middleware {
  return (next) => ({
    stream: (request, signal) => ({
      [Symbol.asyncIterator]: () => new RetriedStream(() => next.stream(request, signal), clock, random, signal),
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
  private tries = 1;
  /** The wait before the next try, until it begins. */
  private pauseMs: number | undefined;
  private cancelled = false;

  constructor(
    private readonly open: () => AsyncIterable<LlmEvent>,
    private readonly clock: Clock,
    private readonly random: () => number,
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
      if (this.pauseMs !== undefined && !(await this.pause(this.pauseMs))) return given(this.cancel());
      this.events ??= this.open()[Symbol.asyncIterator]();
      const next = await this.events.next();
      if (next.done) return END;
      const event = next.value;
      if (event.type === 'notice') return given(event);
      if (event.type === 'usage') this.usage = event.usage;
      else {
        const waitMs = event.type === 'failed' ? this.waitAfter(event.failure) : undefined;
        if (event.type !== 'failed' || waitMs === undefined) return this.begin(event);
        await this.give(event.failure);
        this.pauseMs = waitMs;
        if (waitMs > QUIET_WAIT_MS) return given({ type: 'notice', text: waitText(event.failure, waitMs), waitMs });
      }
    }
  }

  private begin(event: LlmEvent): Next {
    const { usage } = this;
    this.begun = true;
    if (!usage) return given(this.tellingLost(event));
    this.waiting = this.tellingLost(event);
    return given({ type: 'usage', usage });
  }

  /** Returns how long to wait before the next try; undefined if there is none. */
  private waitAfter(failure: LlmFailure): number | undefined {
    const own = (isBusy(failure) ? BUSY_WAITS_MS : WAITS_MS)[this.tries - 1];
    if (own === undefined || !isWorthATry(failure)) return undefined;
    const { retryAfterMs: said } = failure;
    return Math.ceil(said === undefined ? own - (own * this.random()) / 4 : said + (said * this.random()) / 10);
  }

  /** Closes a try that failed. */
  private async give({ reason, status }: LlmFailure): Promise<void> {
    await this.events?.return?.();
    this.events = undefined;
    this.tries++;
    // A request that was refused, or that nobody received, is not billed.
    if (this.usage || (status === undefined && reason !== 'unreachable')) this.lost.push(this.usage);
    this.usage = null;
  }

  /** Waits before the next try. Resolves to false if aborted in the meantime. */
  private async pause(ms: number): Promise<boolean> {
    this.pauseMs = undefined;
    try {
      await this.clock.sleep(ms, this.signal);
      return true;
    } catch (error) {
      if (!isAbort(error)) throw error;
      return false;
    }
  }

  private cancel(): LlmEvent {
    this.cancelled = true;
    const message = 'The request was canceled while it waited to retry.';
    return { type: 'failed', failure: { reason: 'cancelled', message }, lost: this.lost };
  }

  private tellingLost(event: LlmEvent): LlmEvent {
    const { lost } = this;
    const isEnd = event.type === 'finished' || event.type === 'failed';
    return isEnd && lost.length > 0 ? { ...event, lost } : event;
  }
}

function isWorthATry({ reason, status, retryAfterMs, retryable }: LlmFailure): boolean {
  if ((retryAfterMs ?? 0) > LONGEST_WAIT_MS) return false;
  if (retryable !== undefined) return retryable;
  if (reason === 'rate-limit') return retryAfterMs !== undefined || status === undefined;
  return reason === 'cut-stream' || (status === undefined && reason === 'server');
}

/** A busy provider recovers later than a connection does. */
function isBusy({ reason, status, busy }: LlmFailure): boolean {
  return busy === true || reason === 'rate-limit' || status === 429 || status === 503 || status === 529;
}

function waitText(failure: LlmFailure, waitMs: number): string {
  return `${whatFailed(failure)} Trying again in ${Math.ceil(waitMs / 1000)} s.`;
}

function whatFailed(failure: LlmFailure): string {
  const { reason, status } = failure;
  if (reason === 'rate-limit' || status === 429) return 'Rate limit reached.';
  if (isBusy(failure)) return 'The model is overloaded.';
  if (reason === 'cut-stream') return 'The answer broke off.';
  return reason === 'unreachable' ? 'The model could not be reached.' : "The model's provider reports an error.";
}
