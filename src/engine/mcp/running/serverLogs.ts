import { type Disposable, onDispose } from '../../../base/disposable';
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
