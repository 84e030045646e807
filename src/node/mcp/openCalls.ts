import { AbortError, NOT_NEEDED } from '../../base/abort';
import { Mutex } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { EngineError, type McpCallOptions, type ServerAnswer } from '../../engine';
import type { Alarm } from '../realAlarm';

type CallOptions = Pick<McpCallOptions, 'signal' | 'timeoutMs' | 'onQuestion'>;

interface OpenCall {
  readonly options: CallOptions;
  /** Aborts when the call is over, whatever its outcome. */
  readonly over: AbortController;
  asked: number;
  pause(): void;
  goOn(): void;
}

/** A server that asks more often in one call does not really want an answer. */
const MAX_QUESTIONS = 10;

/**
 * The unfinished calls of one connection. Servers do not say which call a question belongs to, and the SDK does not report which
 * stream it came on, so the most recent call gets it. Questions are asked one at a time, and the calls' timeouts are paused in
 * the meantime.
 */
export class OpenCalls {
  private readonly open = new Set<OpenCall>();
  private readonly turns = new Mutex();

  /** `alarm` measures the timeouts. */
  constructor(private readonly alarm: Alarm) {}

  /** Runs a call with its timeout. Rejects as `work` does, or with EngineError `io` when it times out. */
  async during<T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const late = new AbortController();
    const timer = pausingTimer(options.timeoutMs, this.alarm, () => late.abort(NOT_NEEDED));
    const call = { options, over, asked: 0, ...timer };
    this.open.add(call);
    try {
      return await work(AbortSignal.any([options.signal, late.signal]));
    } catch (error) {
      if (!late.signal.aborted || options.signal.aborted) throw error;
      throw new EngineError('io', 'It did not answer in time.', { cause: error });
    } finally {
      this.open.delete(call);
      timer.pause();
      over.abort(NOT_NEEDED);
    }
  }

  /**
   * Passes a question to the caller. Declines questions outside a call and those beyond the limit. Rejects only with the caller's
   * error.
   */
  async ask(question: unknown, signal: AbortSignal): Promise<ServerAnswer> {
    const call = [...this.open].at(-1);
    const onQuestion = call?.options.onQuestion;
    if (!call || !onQuestion || ++call.asked > MAX_QUESTIONS) return { action: 'decline' };
    const until = AbortSignal.any([signal, call.over.signal, call.options.signal]);
    const all = [...this.open];
    for (const one of all) one.pause();
    try {
      return await this.turns.take(() => onQuestion(question, until), until);
    } catch (error) {
      if (error instanceof AbortError) return { action: 'cancel' };
      throw error;
    } finally {
      for (const one of all) if (this.open.has(one)) one.goOn();
    }
  }
}

/** Creates a running timer. It resumes once `goOn` has been called as often as `pause`. */
function pausingTimer(ms: number, alarm: Alarm, onEnd: () => void): Pick<OpenCall, 'pause' | 'goOn'> {
  let left = ms;
  let since = performance.now();
  let pauses = 0;
  let timer: Disposable | undefined = alarm(left, onEnd);
  return {
    pause() {
      if (pauses++ > 0) return;
      timer?.dispose();
      timer = undefined;
      left -= performance.now() - since;
    },
    goOn() {
      if (--pauses > 0) return;
      since = performance.now();
      timer = alarm(Math.max(0, left), onEnd);
    },
  };
}
