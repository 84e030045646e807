import { isAbort } from '../../../base/abort';
import { isRecord } from '../../../base/isRecord';

/** What became of the calls of one server since we began. */
export interface Traffic {
  /** That were begun. */
  readonly calls: number;
  /** With an error of the server, or without an answer; one that the person stopped is none. */
  readonly failures: number;
  /** Of those that are over. */
  readonly totalMs: number;
  readonly done: number;
  /** The one that began last and is over. */
  readonly last: LastCall | undefined;
}

export interface LastCall {
  /** Without secrets. */
  readonly tool: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly hasFailed: boolean;
}

const NONE: Traffic = { calls: 0, failures: 0, totalMs: 0, done: 0, last: undefined };

/** Counts and times calls by the key of a launch; kept in memory alone. */
export class ServerTraffic {
  private readonly of = new Map<string, Traffic>();

  constructor(private readonly clock: { now(): number }) {}

  at(key: string): Traffic {
    return this.of.get(key) ?? NONE;
  }

  /** Carries out a call; `changed` is told when there is more to see. Rejects as `work` does. */
  async during<T>(key: string, tool: string, work: () => Promise<T>, changed: () => void): Promise<T> {
    const at = this.clock.now();
    const { calls } = this.at(key);
    this.of.set(key, { ...this.at(key), calls: calls + 1 });
    changed();
    const over = (hasFailed: boolean) => {
      const before = this.at(key);
      const ms = Math.max(0, this.clock.now() - at);
      const last = before.last && before.last.at > at ? before.last : { tool, at, ms, hasFailed };
      const failures = before.failures + (hasFailed ? 1 : 0);
      this.of.set(key, { ...before, failures, totalMs: before.totalMs + ms, done: before.done + 1, last });
      changed();
    };
    try {
      const answer = await work();
      over(isRecord(answer) && answer['isError'] === true);
      return answer;
    } catch (error) {
      over(!isAbort(error));
      throw error;
    }
  }
}
