import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { processTree } from './processTree';
import { until } from './until';

const running = new Set<OwnedProcess>();
let guarded = false;

/**
 * A child process that does not outlive this one: it and its children end on `stop()`, when this process exits, and when it is
 * interrupted. `exited` resolves with the exit code (null after a signal) and never rejects; a command that cannot be started
 * counts as exit code 127.
 */
export class OwnedProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  private alive = true;

  constructor(command: string, args: readonly string[], options: SpawnOptions) {
    guardExit();
    this.child = spawn(command, args, options);
    running.add(this);
    this.exited = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.alive = false;
        running.delete(this);
        resolve(code);
      };
      this.child.once('error', () => end(127));
      this.child.once('close', end);
    });
  }

  get isAlive(): boolean {
    return this.alive;
  }

  /** Ends the whole tree: sends SIGTERM first, then kills what is left after three seconds. */
  async stop(): Promise<void> {
    if (!this.alive || this.child.pid === undefined) return;
    // Listed before the first signal, because orphans drop out of the tree.
    const tree = [this.child.pid, ...listTree(this.child.pid)];
    endAll(tree, 'SIGTERM');
    await until('a process tree to end', () => !tree.some(isRunning), 3000).catch(() => endAll(tree, 'SIGKILL'));
    await this.exited;
  }

  /** Kills the tree immediately, for use while this process exits. */
  kill(): void {
    if (this.child.pid === undefined) return;
    endAll([this.child.pid, ...listTree(this.child.pid)], 'SIGKILL');
  }
}

function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on('exit', () => running.forEach((owned) => owned.kill()));
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  process.on('SIGHUP', () => process.exit(129));
}

function listTree(pid: number): number[] {
  return process.platform === 'win32' ? [] : processTree(pid);
}

function endAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { timeout: 5000 });
      else process.kill(pid, signal);
    } catch {
      continue; // It has already ended.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
