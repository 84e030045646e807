import { setImmediate as nextTurn } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { Mutex } from '../base/async';
import { safeText } from '../base/shown/safeText';

/** Keyboard input; `setRawMode` exists only if it is a terminal. */
type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };

/** Turns of the event loop without input after which nothing is buffered, since each turn polls the system. */
const QUIET_TURNS = 4;

const CTRL_C = '\u0003';

/** A user at a terminal. Messages go to standard error, so that standard output contains only the answer. */
export interface Terminal {
  say(line: string): void;
  /** Serializes agents that ask at the same time: each question is shown from its first line to its answer. */
  readonly turns: Mutex;
  /** Does what Ctrl+C does, for callers that read it as a key. */
  readonly interrupt: () => void;
  /** The size of the screen; 0 where unknown. */
  size(): { columns: number; rows: number };
  /**
   * Prompts for a line; anything typed earlier is discarded. Resolves to undefined at the end of the input (Ctrl+D). Rejects when
   * the signal aborts.
   */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

interface TerminalStreams {
  input: Keyboard;
  output: NodeJS.WritableStream & { columns?: number; rows?: number };
  /** Called for Ctrl+C while an answer is being typed, because the terminal then sends no signal. */
  onInterrupt: () => void;
}

export function terminal({ input, output, onInterrupt }: TerminalStreams): Terminal {
  const say = (line: string) => void output.write(`${safeText(line)}\n`);
  return {
    turns: new Mutex(),
    interrupt: onInterrupt,
    say,
    size: () => ({ columns: output.columns ?? 0, rows: output.rows ?? 0 }),
    async ask(prompt, signal) {
      const { createInterface } = await import('node:readline/promises');
      const isEarly = await discardTyped(input, onInterrupt);
      signal.throwIfAborted();
      if (isEarly) say('Text typed before this question is ignored.');
      const lines = createInterface({ input, output });
      lines.on('SIGINT', onInterrupt);
      const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
      // At the end of input some Node versions reject, others never settle.
      const line = lines.question(safeText(prompt), { signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return undefined;
      });
      try {
        return (await Promise.race([line, ended]))?.trim();
      } finally {
        lines.close();
      }
    },
  };
}

/**
 * Returns true if a user can be prompted. Checks the file descriptors, because Node opens standard input as soon as
 * `process.stdin` is accessed.
 */
export function hasPerson(): boolean {
  return isatty(0) && isatty(2);
}

/**
 * Discards everything typed so far, including an unfinished line: it cannot be meant for a question that was not shown yet.
 * Returns true if there was any.
 */
async function discardTyped(input: Keyboard, onInterrupt: () => void): Promise<boolean> {
  let typed = '';
  const take = (chunk: Buffer | string) => (typed += chunk.toString());
  // Outside raw mode, the system holds back a line until it is complete.
  input.setRawMode?.(true);
  input.on('data', take);
  input.resume();
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    const before = typed.length;
    await nextTurn();
    if (typed.length > before) quiet = -1;
  }
  input.off('data', take);
  input.pause();
  input.setRawMode?.(false);
  if (typed.includes(CTRL_C)) onInterrupt();
  return typed !== '';
}
