import { isAbort } from '../../../base/abort';
import { type Disposable, onDispose } from '../../../base/disposable';
import { isRecord } from '../../../base/isRecord';
import { clipEnd } from '../../../base/truncate';

/** A line of a server's log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `cairn`: the server's status; `stderr`: its error output; `server`: log messages sent over the protocol. */
  readonly from: 'cairn' | 'stderr' | 'server';
  readonly text: string;
}

export interface LogFollower {
  onLine(line: LogLine): void;
  /** Called when there will be no more lines. */
  onEnd(): void;
}

const MAX_LINES = 1000;
const MAX_LINE = 2000;

/** Keeps the most recent log lines of each server since Cairn started, by the key of its launch. */
export class ServerLogs {
  private readonly lines = new Map<string, LogLine[]>();
  private readonly followers = new Map<string, Set<LogFollower>>();

  constructor(private readonly clock: { now(): number }) {}

  add(key: string, from: LogLine['from'], text: string): void {
    const line: LogLine = { time: this.clock.now(), from, text: clipEnd(text, MAX_LINE) };
    const lines = this.lines.get(key) ?? [];
    lines.push(line);
    // Trimmed only occasionally: under a flood of lines, trimming each time would move them over and over.
    if (lines.length >= 2 * MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
    this.lines.set(key, lines);
    for (const one of this.followers.get(key) ?? []) one.onLine(line);
  }

  /** Passes on the last lines so far, and each new one until disposed. */
  follow(key: string, follower: LogFollower): Disposable {
    for (const line of (this.lines.get(key) ?? []).slice(-MAX_LINES)) follower.onLine(line);
    const all = this.followers.get(key) ?? new Set();
    this.followers.set(key, all.add(follower));
    return onDispose(() => all.delete(follower));
  }

  /** Tells all followers that the log has ended. */
  end(): void {
    const all = [...this.followers.values()].flatMap((some) => [...some]);
    this.followers.clear();
    for (const one of all) one.onEnd();
  }
}

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

interface LastCall {
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
