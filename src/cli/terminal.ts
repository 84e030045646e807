import { setImmediate as nextTurn } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { Mutex } from '../base/mutex';
import { safeText } from '../base/shown/safeText';

/** A keyboard; `setRawMode` is there when it is one of a terminal. */
type Keyboard = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };

/** Nothing came in so many turns of the event loop: nothing is left, since each of them asks the system. */
const QUIET_TURNS = 4;

const CTRL_C = '\u0003';

/** A person at a terminal. What is said to them goes to standard error, so that standard output stays the answer. */
export interface Terminal {
  say(line: string): void;
  /** Agents may ask at the same time: one is heard after the other, each from its first line to its answer. */
  readonly turns: Mutex;
  /** Does what Ctrl+C does, for who reads it as a key. */
  readonly interrupt: () => void;
  /** What fits on the screen; 0 where nobody knows. */
  size(): { columns: number; rows: number };
  /**
   * What is typed from now on; what was typed before is discarded. Undefined when the input is at its end (Ctrl+D). Rejects
   * when the signal aborts.
   */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface TerminalStreams {
  input: Keyboard;
  output: NodeJS.WritableStream & { columns?: number; rows?: number };
  /** Ctrl+C while an answer is typed: the terminal then makes no signal of it. */
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
      // Some versions of Node reject at the end of the input, others never answer.
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

/** True when a person can be asked. The streams are not asked: Node makes one of standard input when it is first looked at. */
export function hasPerson(): boolean {
  return isatty(0) && isatty(2);
}

/**
 * Takes away what was typed so far, also a line that was not ended: nobody can have meant it for a question that they had
 * not seen. True when there was something.
 */
async function discardTyped(input: Keyboard, onInterrupt: () => void): Promise<boolean> {
  let typed = '';
  const take = (chunk: Buffer | string) => (typed += chunk.toString());
  // Until its end, the system keeps a line for itself otherwise.
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
