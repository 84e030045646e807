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

/** In characters. */
export const MAX_LINE = 100_000;
/** What is read more than once counts each time. */
const MOST_READ = 4 * MAX_LINE;
/** Of one word; whole files are given as here-documents, which are none. */
const MAX_WORD = 20_000;
const MOST_COMMANDS = 1000;
const MOST_WORDS = 3000;
/** Words of commands, each for every folder in which its command may be run. */
const MOST_JUDGED = 4000;

/**
 * How much of a line may be read and judged, with all that stands in it: so that no line keeps anyone waiting, however it is made.
 * Lines that people or models write stay far below.
 */
export class LineLimits {
  static readonly WHAT = 'more than can be judged';
  private characters = 0;
  private commands = 0;
  private words = 0;
  private judged = 0;

  /** True once more was read or judged than may be; what was found by then is not all. */
  get isExceeded(): boolean {
    const isRead = this.characters > MOST_READ || this.commands > MOST_COMMANDS || this.words > MOST_WORDS;
    return isRead || this.judged > MOST_JUDGED;
  }

  addText(text: string): void {
    this.characters += text.length > MAX_LINE ? MOST_READ + 1 : text.length;
  }

  addWords(count: number): void {
    this.words += count;
  }

  addCommand({ assignments, words, redirections }: ShellPart): void {
    this.commands++;
    const all = [...assignments, ...words, ...redirections.map(({ target }) => target)];
    if (all.some(({ text }) => text.length > MAX_WORD)) this.words = MOST_WORDS + 1;
  }

  addJudged(words: number): void {
    this.judged += words;
  }
}
