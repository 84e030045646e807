import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable';
import { AbortError, throwIfAborted } from '../../base/abort';
import { EngineError, type ProcessEnd, type ProcessRequest, type ProcessRunner } from '../../engine';
import { commandEnvironment } from '../secretVariables';
import { beginToWatch, endWithUs } from './endWithUs';
import { endProcessTree } from './endProcessTree';
import { type ShellDialect, shellDialect } from '../shellDialect';

/** How long output may be held open by something in the background after the command itself has ended. */
const LINGER_MS = 300;
/** How long the system gets to report an end that was forced. */
const SETTLE_MS = 1000;

type Exit = Pick<ProcessEnd, 'exitCode' | 'signal'>;

/** Commands of the platform's shell, with `env` less its secrets. */
export function nodeProcessRunner(env: NodeJS.ProcessEnv): ProcessRunner {
  const shell = shellDialect(env);
  return {
    async run(request, signal) {
      throwIfAborted(signal);
      // Not `performance`, which would be loaded for it.
      const started = process.uptime();
      const { child, watched } = await start(shell, env, request);
      try {
        const end = await untilOver(child, request.timeoutMs, signal);
        if (signal.aborted) throw new AbortError();
        return { ...end, durationMs: Math.round((process.uptime() - started) * 1000) };
      } finally {
        watched?.dispose();
      }
    },
  };
}

interface Started {
  child: ChildProcess;
  /** Has it ended when we are gone, until it is disposed. */
  watched: Disposable | undefined;
}

/** Resolves once the shell runs. */
async function start(shell: ShellDialect, env: NodeJS.ProcessEnv, request: ProcessRequest): Promise<Started> {
  const { command, cwd } = request;
  try {
    beginToWatch();
    const child = spawn(shell.file, shell.args(command), {
      cwd,
      env: commandEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own can be ended as a whole, and has no terminal to ask for a password on.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: shell.verbatim,
    });
    // At once, since we may be killed at any time.
    const watched = child.pid === undefined ? undefined : endWithUs(child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const behind = request.onOutput(chunk);
        if (!behind) return;
        stream.pause();
        void behind.finally(() => stream.resume());
      });
    }
    await new Promise((resolve, reject) => child.once('spawn', resolve).on('error', reject));
    return { child, watched };
  } catch (error) {
    throw await startFailure(error, request, shell);
  }
}

async function startFailure(error: unknown, { cwd }: ProcessRequest, { file }: ShellDialect): Promise<EngineError> {
  const folder = await stat(cwd).catch(() => null);
  const why = error instanceof Error ? error.message : String(error);
  const message = folder?.isDirectory()
    ? `The command could not be started with ${file}: ${why}. A very long command belongs in a script file.`
    : `The command could not be started: there is no folder ${cwd} to run it in.`;
  return new EngineError('io', message, { cause: error });
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
    child.stdout?.destroy();
    child.stderr?.destroy();
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
