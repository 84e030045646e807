import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { AbortError, throwIfAborted } from '../../base/abort';
import type { ProcessEnd } from '../../engine';
import { startWatched } from './endWithUs';
import { endProcessTree } from './endProcessTree';

/** How long output may be held open by something in the background after the command itself has ended. */
const LINGER_MS = 300;
/** How long the system gets to report an end that was forced. */
const SETTLE_MS = 1000;

type Exit = Pick<ProcessEnd, 'exitCode' | 'signal'>;

/** A program that is started, without a shell. */
export interface ChildRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Without it, as long as it takes. */
  timeoutMs?: number;
  /** Standard input, output and error, and what else it has; output and error are read whatever stands here. */
  stdio?: StdioOptions;
  /** On Windows: the arguments are one text that is handed over as it is. */
  verbatim?: boolean;
  /** Called once it runs. */
  onStart?: (child: ChildProcess) => void;
  /** A promise holds back what follows until it resolves. */
  onOutput: (chunk: string, from: 'stdout' | 'stderr') => void | Promise<void>;
}

/**
 * Runs a program to its end. When the signal aborts or the time is up, it and all its children are ended, and so they are when
 * this process goes away. Rejects with AbortError, and with what the system says of one that could not be started.
 */
export async function runChild(request: ChildRequest, signal: AbortSignal): Promise<ProcessEnd> {
  throwIfAborted(signal);
  // Not `performance`, which would be loaded for it.
  const started = process.uptime();
  const { child, watched } = startWatched(request.env, (env) =>
    spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env,
      stdio: request.stdio ?? ['ignore', 'pipe', 'pipe'],
      // A group of its own can be ended as a whole, and has no terminal to ask for a password on.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: request.verbatim === true,
    }),
  );
  try {
    readOutput(child, request);
    await new Promise((resolve, reject) => child.once('spawn', resolve).on('error', reject));
    request.onStart?.(child);
    const end = await untilOver(child, request.timeoutMs, signal);
    if (signal.aborted) throw new AbortError();
    return { ...end, durationMs: Math.round((process.uptime() - started) * 1000) };
  } finally {
    watched.dispose();
  }
}

function readOutput(child: ChildProcess, { onOutput }: ChildRequest): void {
  for (const from of ['stdout', 'stderr'] as const) {
    const stream = child[from];
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const behind = onOutput(chunk, from);
      if (!behind) return;
      stream.pause();
      void behind.finally(() => stream.resume());
    });
  }
}

/** Waits for the end of a process, and brings it about when the time is up or the signal aborts. */
async function untilOver(child: ChildProcess, timeoutMs: number | undefined, signal: AbortSignal) {
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (exitCode, ended) => resolve({ exitCode, signal: ended }));
  });
  const closed = new Promise<true>((resolve) => child.once('close', () => resolve(true)));
  let timedOut = false;
  let givenUp: (exit: Exit) => void = () => undefined;
  const unstoppable = new Promise<Exit>((resolve) => (givenUp = resolve));
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= endChild(child).then(() => givenUp({ exitCode: null, signal: 'SIGKILL' })));
  const stop = () => void end();
  const late = () => {
    timedOut = true;
    stop();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const exit = await Promise.race([exited, unstoppable]);
    clearTimeout(timer);
    if (!ending && !(await closesSoon(child, closed))) stop();
    await ending;
    await within(closed, SETTLE_MS);
    return { ...exit, timedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** What is held back because its reader is behind still comes, however long that takes. */
async function closesSoon({ stdout, stderr }: ChildProcess, closed: Promise<true>): Promise<boolean> {
  for (;;) {
    const wasHeld = stdout?.isPaused() || stderr?.isPaused();
    if (await within(closed, LINGER_MS)) return true;
    if (!wasHeld && !stdout?.isPaused() && !stderr?.isPaused()) return false;
  }
}

async function endChild({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  await endProcessTree(pid);
  await delay(SETTLE_MS / 10);
}

/** True when `work` is done in time; leaves no timer behind. */
async function within(work: Promise<true>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
