import { isAbort } from '../../../base/abort';
import type { Clock } from '../../ports';
import type { LlmEvent, LlmFailure, Middleware } from '../llmClient';
import type { Usage } from '../../messages/message';

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
  return (next) => ({
    stream: (request, signal) => ({
      [Symbol.asyncIterator]: () => new RetriedStream(() => next.stream(request, signal), clock, signal),
    }),
  });
}

type Next = IteratorResult<LlmEvent, void>;

const END: Next = { done: true, value: undefined };
const given = (value: LlmEvent): Next => ({ done: false, value });

/** What a try says that has begun goes past this, without a generator that each event would wait in. */
class RetriedStream implements AsyncIterator<LlmEvent, void, void> {
  private events: AsyncIterator<LlmEvent> | undefined;
  /** Tokens of a try that gives nothing to read are spent, but they are no beginning. */
  private usage: Usage | null = null;
  private begun = false;
  /** The beginning, behind the usage that was told before it. */
  private waiting: LlmEvent | undefined;
  /** What each broken try used. */
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

  /** Passes notices on, and the first thing else that is no try which may be made again. */
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

  /** False when it was aborted meanwhile. */
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

/** An address that nobody answers at was tried three times by the SDK already. */
function isBroken({ reason, status, retryAfterMs }: LlmFailure): boolean {
  if (reason === 'rate-limit') {
    const isSaid = retryAfterMs !== undefined;
    return (isSaid || status === undefined) && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
  }
  return reason === 'cut-stream' || (status === undefined && reason === 'server');
}
