import { errorText } from '../../../base/errorText';
import { EngineError } from '../../engineError';
import type { Clock } from '../../ports';

/** How long a server that did not start is left alone, the first time and at most; doubled in between. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** A program that failed so often in a row is started again only when a person says so. */
const MOST_IN_A_ROW = 5;

/** The server that is in trouble. */
export interface Troubled {
  key: string;
  /** What it runs is on this machine: it is not only out of reach for a while. */
  isProgram: boolean;
  /** Tells a person how they have it started all the same: a sentence. */
  howToStart: string;
}

interface Trouble {
  /** `denied`: the person has to sign in. */
  reason: 'denied' | 'io';
  why: string;
  /** In a row, up to this one. */
  times: number;
  pauseMs: number;
  until: number;
}

/** What is told of a server that does not run because it failed. */
export interface TroubleNow {
  why: string;
  wantsSignIn: boolean;
  /** It failed so often that only a person has it started again. */
  isGivenUp: boolean;
}

/** Which servers failed lately, how often, and when each may be started again. Kept until one ran well, or a person asks. */
export class ServerTroubles {
  private readonly troubles = new Map<string, Trouble>();

  constructor(private readonly clock: Clock) {}

  of(key: string): TroubleNow | undefined {
    const trouble = this.troubles.get(key);
    return trouble && { why: trouble.why, wantsSignIn: trouble.reason === 'denied', isGivenUp: isGivenUp(trouble) };
  }

  /** What is said to who wants a server that may not be started yet; undefined when it may. */
  refusal({ key, howToStart }: Troubled): EngineError | undefined {
    const trouble = this.troubles.get(key);
    if (!trouble || this.clock.now() >= trouble.until) return undefined;
    // Only signing in helps, which forgets the trouble.
    if (trouble.reason === 'denied') return new EngineError('denied', trouble.why);
    return new EngineError('io', `${trouble.why} ${this.next(trouble, howToStart)}`);
  }

  /** The server could not be started, or reached. */
  notStarted({ key, isProgram }: Troubled, error: unknown): void {
    const times = this.timesOf(key) + 1;
    const reason = EngineError.is(error, 'denied') ? 'denied' : 'io';
    this.keep(key, { reason, why: errorText(error), times, pauseMs: pauseAfter(times) }, isProgram);
  }

  /** The launch could not be filled in: nothing was started, so that trying again costs nothing. */
  notFilled({ key }: Troubled, error: unknown): void {
    const times = this.timesOf(key);
    this.troubles.set(key, { reason: 'io', why: errorText(error), times, pauseMs: 0, until: this.clock.now() });
  }

  /**
   * A server that was ready is gone; the first time it may be started again at once. Gives what becomes of it, as a sentence for
   * whoever waits for its answer.
   */
  ended({ key, isProgram, howToStart }: Troubled, why: string, hadRunWell: boolean): string {
    const times = hadRunWell ? 1 : this.timesOf(key) + 1;
    const pauseMs = times === 1 ? 0 : pauseAfter(times - 1);
    return this.next(this.keep(key, { reason: 'io', why, times, pauseMs }, isProgram), howToStart);
  }

  /** A server was started and is ready. How often it failed before still counts, should it end again. */
  isReady(key: string): void {
    const trouble = this.troubles.get(key);
    if (trouble) this.troubles.set(key, { ...trouble, reason: 'io', until: this.clock.now() });
  }

  forget(key: string): void {
    this.troubles.delete(key);
  }

  private timesOf(key: string): number {
    return this.troubles.get(key)?.times ?? 0;
  }

  private keep(key: string, trouble: Omit<Trouble, 'until'>, isProgram: boolean): Trouble {
    const isLast = isProgram && trouble.reason === 'io' && trouble.times >= MOST_IN_A_ROW;
    const until = isLast ? Infinity : this.clock.now() + trouble.pauseMs;
    const kept: Trouble = { ...trouble, until };
    this.troubles.set(key, kept);
    return kept;
  }

  private next(trouble: Trouble, howToStart: string): string {
    if (isGivenUp(trouble)) {
      return `It failed ${trouble.times} times in a row, so it is not restarted automatically. ${howToStart}`;
    }
    const seconds = Math.ceil((trouble.until - this.clock.now()) / 1000);
    return seconds > 0 ? `It is not retried for ${seconds} s.` : 'The next call starts it again.';
  }
}

function isGivenUp({ until }: Trouble): boolean {
  return until === Infinity;
}

function pauseAfter(times: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
}
