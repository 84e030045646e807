/** A word of a command, without its quotes. */
export interface ShellWord {
  text: string;
  /**
   * `exact`: the program receives exactly this. `glob`: names that begin like it. `names`: names that may begin with anything,
   * including a dash. `unknown`: only the shell knows.
   */
  kind: 'exact' | 'glob' | 'names' | 'unknown';
}

export interface ShellRedirection {
  kind: 'read' | 'write';
  target: ShellWord;
}

/** A simple command of a shell line. */
export interface ShellPart {
  /** As written. */
  text: string;
  /** `NAME=value` before the command. */
  assignments: readonly ShellWord[];
  words: readonly ShellWord[];
  redirections: readonly ShellRedirection[];
  /** Text that here-documents and here-strings pass to its input. */
  inputs: readonly ShellWord[];
  /** Another command is piped into it. */
  isPiped?: true;
  /** It comes after the beginning of a loop or a function, and may run again after everything that follows. */
  repeats?: true;
}

/** What a shell line would run. */
export interface ShellReading {
  /** In order of appearance; nested commands come before the one that contains them. */
  parts: readonly ShellPart[];
  /** The construct that prevents the line from being allowed by its words, worded to follow "It uses"; null if none. */
  unclear: string | null;
  /** The construct that was not understood, so that commands may be missing from the parts; null if none. */
  unread: string | null;
}

/** In characters. */
export const MAX_LINE = 100_000;
/** Text that is read more than once counts each time. */
const MOST_READ = 4 * MAX_LINE;
/** For one word; whole files are passed as here-documents, which are not words. */
const MAX_WORD = 20_000;
const MOST_COMMANDS = 1000;
const MOST_WORDS = 3000;
/** Words of commands, counted once per folder that their command may run in. */
const MOST_JUDGED = 4000;
/** Words of the line that were considered in place of words that only the shell knows. */
const MOST_COMPARED = 100_000;

/**
 * Limits how much of a line, including everything nested in it, is read and judged, so that no line causes a long wait, however
 * it is made. Lines that people or models write stay far below.
 */
export class LineLimits {
  static readonly WHAT = 'more than can be judged';
  private characters = 0;
  private commands = 0;
  private words = 0;
  private judged = 0;
  private compared = 0;

  /** True once more was read or judged than is allowed; what was found by then is incomplete. */
  get isExceeded(): boolean {
    const isRead = this.characters > MOST_READ || this.commands > MOST_COMMANDS || this.words > MOST_WORDS;
    return isRead || this.judged > MOST_JUDGED || this.compared > MOST_COMPARED;
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

  addCompared(words: number): void {
    this.compared += words;
  }
}
