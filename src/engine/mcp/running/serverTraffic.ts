import { isAbort } from '../../../base/abort';
import { isRecord } from '../../../base/isRecord';

/** Statistics of a server's calls since Cairn started. */
export interface Traffic {
  /** Calls started. */
  readonly calls: number;
  /** Calls that ended with an error or without an answer, except those the user stopped. */
  readonly failures: number;
  /** Total duration of completed calls. */
  readonly totalMs: number;
  readonly done: number;
  /** The most recently started call among those completed. */
  readonly last: LastCall | undefined;
}

export interface LastCall {
  /** Contains no secrets. */
  readonly tool: string;
  /** When it started, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly hasFailed: boolean;
}

const NONE: Traffic = { calls: 0, failures: 0, totalMs: 0, done: 0, last: undefined };

/** Counts and times calls by the key of a launch, in memory only. */
export class ServerTraffic {
  private readonly of = new Map<string, Traffic>();

  constructor(private readonly clock: { now(): number }) {}

  at(key: string): Traffic {
    return this.of.get(key) ?? NONE;
  }

  /** Runs and times a call. `changed` is called when the statistics change. Rejects as `work` does. */
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
