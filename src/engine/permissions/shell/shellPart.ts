/** One word of a command, with its quotes taken off. */
export interface ShellWord {
  text: string;
  /** `exact`: the program is given just this. `glob`: names that begin like it. `unknown`: only the shell will know. */
  kind: 'exact' | 'glob' | 'unknown';
}

export interface ShellRedirection {
  kind: 'read' | 'write';
  target: ShellWord;
}

/** One simple command of a shell line. */
export interface ShellPart {
  /** As it was written. */
  text: string;
  /** `NAME=value` in front of the command. */
  assignments: readonly ShellWord[];
  words: readonly ShellWord[];
  redirections: readonly ShellRedirection[];
}

/** What a shell line would run. */
export interface ShellReading {
  /** In the order they are written; what stands inside of another comes before it. */
  parts: readonly ShellPart[];
  /** What is not understood with certainty, to stand after "It uses"; null when all of it is. */
  unclear: string | null;
}
