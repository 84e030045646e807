import { errorText } from '../../../base/errors';
import { EngineError } from '../../engineError';
import type { Clock } from '../../ports';
import { MalformedAnswerError } from '../mcpConnector';

/** The first and the longest pause after a failed start; doubled in between. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** A program that has failed this often in a row is started again only at the user's request. */
const MOST_IN_A_ROW = 5;

/** The server in trouble. */
export interface Troubled {
  key: string;
  /** It runs on this machine, so it cannot just be temporarily unreachable. */
  isProgram: boolean;
  /** A sentence that tells the user how to start it anyway. */
  howToStart: string;
}

interface Trouble {
  /** `denied`: the user has to sign in. */
  reason: 'denied' | 'io';
  why: string;
  /** Consecutive failures, including this one. */
  times: number;
  pauseMs: number;
  until: number;
}

/** The failure shown for a server that is not running. */
interface TroubleNow {
  why: string;
  wantsSignIn: boolean;
  /** It failed so often that only the user can start it again. */
  isGivenUp: boolean;
}

/**
 * Tracks which servers failed recently, how often, and when each may be started again. Cleared when a server has run well or at
 * the user's request.
 */
export class ServerTroubles {
  private readonly troubles = new Map<string, Trouble>();

  constructor(private readonly clock: Clock) {}

  of(key: string): TroubleNow | undefined {
    const trouble = this.troubles.get(key);
    return trouble && { why: trouble.why, wantsSignIn: trouble.reason === 'denied', isGivenUp: isGivenUp(trouble) };
  }

  /** Returns the error for a server that may not be started yet, or undefined if it may. */
  refusal({ key, howToStart }: Troubled): EngineError | undefined {
    const trouble = this.troubles.get(key);
    if (!trouble || this.clock.now() >= trouble.until) return undefined;
    // Only signing in helps, and that clears the failure.
    if (trouble.reason === 'denied') return new EngineError('denied', trouble.why);
    return new EngineError('io', `${trouble.why} ${this.next(trouble, howToStart)}`);
  }

  /** Records that the server could not be started or reached. */
  notStarted({ key, isProgram }: Troubled, error: unknown): void {
    const times = this.timesOf(key) + 1;
    const reason = EngineError.is(error, 'denied') ? 'denied' : 'io';
    this.keep(key, { reason, why: errorText(error), times, pauseMs: pauseAfter(times) }, isProgram);
  }

  /** Records that the launch could not be resolved. Nothing was started, so there is no pause before the next try. */
  notFilled({ key }: Troubled, error: unknown): void {
    const times = this.timesOf(key);
    this.troubles.set(key, { reason: 'io', why: errorText(error), times, pauseMs: 0, until: this.clock.now() });
  }

  /**
   * Records that a ready server has ended. The first time, it may be started again at once. Returns a sentence on what happens
   * next, for callers waiting for its answer.
   */
  ended({ key, isProgram, howToStart }: Troubled, why: string, hadRunWell: boolean): string {
    const times = hadRunWell ? 1 : this.timesOf(key) + 1;
    const pauseMs = times === 1 ? 0 : pauseAfter(times - 1);
    return this.next(this.keep(key, { reason: 'io', why, times, pauseMs }, isProgram), howToStart);
  }

  /** Records that a server is ready. Earlier failures still count if it ends again. */
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

/** Puts the server's id into the error for an answer that breaks the protocol; returns other errors as they are. */
export function withServerName(error: unknown, id: string): unknown {
  if (!(error instanceof MalformedAnswerError)) return error;
  return new EngineError('io', error.message.replace(/^It /, `The MCP server ${id} `), { cause: error });
}
