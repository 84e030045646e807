import { type Disposable, onDispose } from '../../../base/disposable';
import { clipEnd } from '../../../base/truncate';

/** A line of the log of a server. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `cairn`: what became of the server; `stderr` and `server`: what it wrote, and what it said by the protocol. */
  readonly from: 'cairn' | 'stderr' | 'server';
  readonly text: string;
}

export interface LogFollower {
  onLine(line: LogLine): void;
  /** There will be no more. */
  onEnd(): void;
}

const MAX_LINES = 1000;
const MAX_LINE = 2000;

/** What each server did and said since we began, the last of it, by the key of its launch. */
export class ServerLogs {
  private readonly lines = new Map<string, LogLine[]>();
  private readonly followers = new Map<string, Set<LogFollower>>();

  constructor(private readonly clock: { now(): number }) {}

  add(key: string, from: LogLine['from'], text: string): void {
    const line: LogLine = { time: this.clock.now(), from, text: clipEnd(text, MAX_LINE) };
    const lines = this.lines.get(key) ?? [];
    lines.push(line);
    // Not with each line: what floods us would be moved again and again.
    if (lines.length >= 2 * MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
    this.lines.set(key, lines);
    for (const one of this.followers.get(key) ?? []) one.onLine(line);
  }

  /** The last lines there are, and from now on each new one, until it is disposed. */
  follow(key: string, follower: LogFollower): Disposable {
    for (const line of (this.lines.get(key) ?? []).slice(-MAX_LINES)) follower.onLine(line);
    const all = this.followers.get(key) ?? new Set();
    this.followers.set(key, all.add(follower));
    return onDispose(() => all.delete(follower));
  }

  /** Tells all who follow that it is over. */
  end(): void {
    const all = [...this.followers.values()].flatMap((some) => [...some]);
    this.followers.clear();
    for (const one of all) one.onEnd();
  }
}
