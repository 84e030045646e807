import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AbortError, isAbort, throwIfAborted } from '../../base/abort';
import { EngineError, type ProcessEnd, type ProcessRequest, type ProcessRunner } from '../../engine';
import { type ShellDialect, shellDialect } from '../machineFacts';
import { type Alarm, realAlarm } from '../realAlarm';
import { commandEnvironment } from '../secretVariables';
import { endProcessTree, isReaped, startWatched } from './endWithUs';

/** Runs commands in the platform's shell, with `env` minus its secrets. `alarm` measures their time limits. */
export function nodeProcessRunner(env: NodeJS.ProcessEnv, alarm: Alarm = realAlarm): ProcessRunner {
  const shell = shellDialect(env);
  return {
    async run({ command, ...request }, signal) {
      const { file, verbatim } = shell;
      try {
        const child = { ...request, file, args: shell.args(command), env: commandEnvironment(env), verbatim, alarm };
        return await runChild(child, signal);
      } catch (error) {
        if (isAbort(error)) throw error;
        throw await startFailure(error, request, shell);
      }
    },
  };
}

async function startFailure(
  error: unknown,
  { cwd }: Pick<ProcessRequest, 'cwd'>,
  { file }: ShellDialect,
): Promise<EngineError> {
  const folder = await stat(cwd).catch(() => null);
  const why = error instanceof Error ? error.message : String(error);
  const message = folder?.isDirectory()
    ? `The command could not be started with ${file}: ${why}. A very long command belongs in a script file.`
    : `The command could not be started: there is no folder ${cwd} to run it in.`;
  return new EngineError('io', message, { cause: error });
}

/** How long a background process may keep the output open after the command has ended. */
const LINGER_MS = 300;
/** How long the system may take to report that a killed process has ended. */
const SETTLE_MS = 1000;

type Exit = Pick<ProcessEnd, 'exitCode' | 'signal'>;

/** A program to start without a shell. */
interface ChildRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** No limit if absent. */
  timeoutMs?: number;
  /** Standard input, output, error, and further descriptors. Output and error are read in any case. */
  stdio?: StdioOptions;
  /** Measures `timeoutMs`. Default: in real time. */
  alarm?: Alarm;
  /** Windows only: pass the arguments as a single unmodified text. */
  verbatim?: boolean;
  /** Called once the process is running. */
  onStart?: (child: ChildProcess) => void;
  /** Further output is held back until a returned promise settles. */
  onOutput: (chunk: string, from: 'stdout' | 'stderr') => void | Promise<void>;
}

/**
 * Runs a program to its end. On abort or timeout, and when this process goes away, the program and all its children are ended.
 * Rejects with AbortError, and with the system's error if it could not be started.
 */
export async function runChild(request: ChildRequest, signal: AbortSignal): Promise<ProcessEnd> {
  throwIfAborted(signal);
  // `performance` would have to be loaded first.
  const started = process.uptime();
  const { child, watched } = startWatched(request.env, (env) =>
    spawn(request.file, [...request.args], {
      cwd: request.cwd,
      env,
      stdio: request.stdio ?? ['ignore', 'pipe', 'pipe'],
      // A separate group can be ended as a whole, and has no terminal on which to ask for a password.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: request.verbatim === true,
    }),
  );
  try {
    readOutput(child, request);
    await new Promise((resolve, reject) => child.once('spawn', resolve).on('error', reject));
    request.onStart?.(child);
    const end = await untilOver(child, request, signal);
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

/** Waits for a process to end, and ends it on timeout or abort. */
async function untilOver(
  child: ChildProcess,
  { timeoutMs, alarm = realAlarm }: Pick<ChildRequest, 'timeoutMs' | 'alarm'>,
  signal: AbortSignal,
) {
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
  const timer = timeoutMs === undefined ? undefined : alarm(timeoutMs, late);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const exit = await Promise.race([exited, unstoppable]);
    timer?.dispose();
    if (!ending && !(await closesSoon(child, closed))) stop();
    await ending;
    await within(closed, SETTLE_MS);
    return { ...exit, timedOut };
  } finally {
    timer?.dispose();
    signal.removeEventListener('abort', stop);
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** Output held back for a slow reader is still delivered, however long that takes. */
async function closesSoon({ stdout, stderr }: ChildProcess, closed: Promise<true>): Promise<boolean> {
  for (;;) {
    const wasHeld = stdout?.isPaused() || stderr?.isPaused();
    if (await within(closed, LINGER_MS)) return true;
    if (!wasHeld && !stdout?.isPaused() && !stderr?.isPaused()) return false;
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  await endProcessTree(child.pid, [], isReaped(child));
  await delay(SETTLE_MS / 10);
}

/** Returns true if `work` finishes in time. Leaves no timer behind. */
async function within(work: Promise<true>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
