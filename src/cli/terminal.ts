import { Turns } from '../base/turns';

/** A person at a terminal. What is said to them goes to standard error, so that standard output stays the answer. */
export interface Terminal {
  say(line: string): void;
  /** Agents may ask at the same time: one is heard after the other, each from its first line to its answer. */
  readonly turns: Turns;
  /** Rejects when the signal aborts. */
  ask(prompt: string, signal: AbortSignal): Promise<string>;
}

export function terminal(): Terminal {
  return {
    turns: new Turns(),
    say: (line) => void process.stderr.write(`${line}\n`),
    async ask(prompt, signal) {
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return (await lines.question(prompt, { signal })).trim();
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
