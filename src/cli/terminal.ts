import { Turns } from '../base/turns';

/** A person at a terminal. What is said to them goes to standard error, so that standard output stays the answer. */
export interface Terminal {
  say(line: string): void;
  /** Agents may ask at the same time: one is heard after the other, each from its first line to its answer. */
  readonly turns: Turns;
  /** Undefined when the input is at its end (Ctrl+D). Rejects when the signal aborts. */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface TerminalStreams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Ctrl+C while an answer is typed: the terminal then makes no signal of it. */
  onInterrupt: () => void;
}

export function terminal({ input, output, onInterrupt }: TerminalStreams): Terminal {
  return {
    turns: new Turns(),
    say: (line) => void output.write(`${line}\n`),
    async ask(prompt, signal) {
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input, output });
      lines.on('SIGINT', onInterrupt);
      const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
      // Some versions of Node reject at the end of the input, others never answer.
      const line = lines.question(prompt, { signal }).catch((error: unknown) => {
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

/** True when a person can be asked. */
export function hasPerson(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
