/** One word of a command, with its quotes taken off. */
export interface ShellWord {
  text: string;
  /**
   * `exact`: the program is given just this. `glob`: names that begin like it. `names`: names that may begin with
   * anything, also with a dash. `unknown`: only the shell will know.
   */
  kind: 'exact' | 'glob' | 'names' | 'unknown';
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
  /** What here-documents and here-strings give it to read. */
  inputs: readonly ShellWord[];
  /** What stands before it is piped into it. */
  isPiped?: true;
  /** It stands behind the beginning of a loop or a function, and may be run again after all that follows. */
  repeats?: true;
}

/** What a shell line would run. */
export interface ShellReading {
  /** In the order they are written; what stands inside of another comes before it. */
  parts: readonly ShellPart[];
  /** What keeps the line from being allowed by its words, to stand after "It uses"; null when nothing does. */
  unclear: string | null;
  /** What is not understood, so that there may be commands that are not among the parts; null when all of it is. */
  unread: string | null;
}
